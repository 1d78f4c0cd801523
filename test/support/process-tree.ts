import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

// All processes of a run, found in /proc (Linux), to stop them at one moment and let them go on.

export type ProcessTree = {
  /** For the process that the run begins with. */
  readonly environment: Record<string, string>
  readonly freeze: () => Promise<Frozen>
}
export type Frozen = { readonly pids: readonly number[]; readonly thaw: () => Promise<void> }
export type ProcessState = { pid: number; start: string; parent: number; session: number; state: string }

const MARKER = 'FLORIN_PROCESS_TREE'

/** Members have the marker in their environment, descend from a member, or are in a member's session. */
export function makeProcessTree(): ProcessTree {
  const value = randomBytes(8).toString('hex')
  // A process may clear its environment and lose its parent: it stays a member for as long as it lives.
  let known = new Set<string>()
  const members = (): ProcessState[] => {
    const all = readProcesses()
    const ownSession = all.find(({ pid }) => pid === process.pid)?.session
    const found = new Map<number, ProcessState>()
    const sessions = new Set<number>()
    for (let before = -1; before < found.size;) {
      before = found.size
      for (const each of all.filter(({ pid }) => pid !== process.pid && !found.has(pid))) {
        const isRelated = found.has(each.parent) || sessions.has(each.session) || known.has(nameOf(each))
        if (!isRelated && !hasMarker(each, `${MARKER}=${value}`)) continue
        found.set(each.pid, each)
        if (each.session !== ownSession) sessions.add(each.session)
      }
    }
    known = new Set([...found.values()].map(nameOf))
    return [...found.values()]
  }
  return { environment: { [MARKER]: value }, freeze: async () => freeze(members) }
}

/** Lists again until nothing new is there: a process may start another between the list and its own stop. */
async function freeze(members: () => ProcessState[]): Promise<Frozen> {
  // It lets everything go on when its input ends: when we say so, and also when we are killed.
  const script = 'while read pid; do pids="$pids $pid"; done; kill -CONT $pids'
  const guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(guard, 'exit')
  const stopped = new Set<number>()
  // A process that is stopped already belongs to a test, which lets it go on itself.
  const moving = (): ProcessState[] =>
    members().filter(({ pid, state }) => !'TZX'.includes(state) && !stopped.has(pid))
  for (let found = moving(); found.length > 0; found = moving()) {
    for (const { pid } of found) {
      stopped.add(pid)
      guard.stdin.write(`${pid}\n`)
      stop(pid)
    }
  }
  const thaw = async (): Promise<void> => {
    guard.stdin.end()
    await ended
  }
  return { pids: [...stopped], thaw }
}

function readProcesses(): ProcessState[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readProcess(Number(pid))).filter((each) => each !== undefined)
}

/** Undefined when it has ended. */
export function readProcess(pid: number): ProcessState | undefined {
  try {
    // The name before it, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [state = '', parent, , session] = fields
    return { pid, state, parent: Number(parent), session: Number(session), start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function hasMarker({ pid }: ProcessState, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(marker)
  } catch {
    return false // it has ended, or belongs to another user: then its parent or session tells
  }
}

function nameOf({ pid, start }: ProcessState): string {
  return `${pid} ${start}`
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch {
    // It has ended.
  }
}
