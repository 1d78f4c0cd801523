import { readdirSync, readFileSync } from 'node:fs'

// What processes have spent of the processors, which others that run beside them hardly change. Linux only.

const ticksPerSecond = 100

/** Of these processes and all below them, those that have ended included. Undefined where the system does not say it. */
export function processorSeconds(pids: readonly number[]): number | undefined {
  const processes = readProcesses()
  if (processes.length === 0) return undefined
  const wanted = new Set(pids)
  let known = 0
  while (known < wanted.size) {
    known = wanted.size
    for (const { pid, parent } of processes) if (wanted.has(parent)) wanted.add(pid)
  }
  const ticks = processes.filter(({ pid }) => wanted.has(pid)).reduce((sum, each) => sum + each.ticks, 0)
  return ticks / ticksPerSecond
}

type Process = { readonly pid: number; readonly parent: number; readonly ticks: number }

function readProcesses(): Process[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may hold spaces: the state, the parent, and from the 12th on what it and its dead children spent.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const spent = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0)
    return { pid, parent: fields[1] ?? 0, ticks: spent }
  } catch {
    // It has ended.
    return undefined
  }
}
