// Runs `npm test` on a machine that stands still: at random moments every process of the run stops for ten seconds (Linux).
//   node bin/run.js test/support/freeze.ts --seed 7 -- src/platform/http
// `--every 5` does so every 5 seconds on average, `--busy` runs six endless loops beside the run instead.
import { spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { onStopSignal } from '../../bin/stop-signals.js'
import { makeProcessTree, type Frozen } from './process-tree.ts'

const FROZEN_MS = 10_000
const FIRST_WITHIN_MS = 15_000
const BUSY_LOOPS = 6

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    every: { type: 'string', default: '30' },
    busy: { type: 'boolean', default: false },
  },
})
if (options.busy || existsSync('/proc/self/stat')) process.exit(await runTests())
process.stderr.write('Only Linux has /proc, where the processes of a run are found. Use --busy elsewhere.\n')
process.exit(1)

async function runTests(): Promise<number> {
  const tree = makeProcessTree()
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../all.js', import.meta.url)), ...positionals],
    {
      env: { ...process.env, ...tree.environment },
      stdio: 'inherit',
      detached: true,
    },
  )
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const thaw = options.busy ? runLoops() : freezeNowAndThen(tree.freeze)
  onStopSignal((signal) => void thaw().then(() => child.kill(signal)))
  const [code, killedBy] = await ended
  await thaw()
  return code ?? 128 + constants.signals[killedBy ?? 'SIGTERM']
}

/** Threads of this process: they end with it, however it ends. */
function runLoops(): () => Promise<void> {
  const loops = Array.from({ length: BUSY_LOOPS }, () => new Worker('for (;;);', { eval: true }))
  return async () => void (await Promise.all(loops.map(async (loop) => loop.terminate())))
}

/** Returns what ends it, and lets everything go on. */
function freezeNowAndThen(freeze: () => Promise<Frozen>): () => Promise<void> {
  const everyMs = Number(options.every) * 1_000
  const random = makeRandom(options.seed)
  process.stdout.write(`Seed ${options.seed}\n`)
  let next: NodeJS.Timeout
  let frozen: Promise<Frozen> | undefined
  const after = (waitMs: number, run: () => Promise<void>): void => {
    next = setTimeout(() => void run(), waitMs)
  }
  const thaw = async (): Promise<void> => (await frozen)?.thaw()
  const freezeOnce = async (): Promise<void> => {
    frozen = freeze()
    process.stdout.write(`\nAll ${(await frozen).pids.length} processes stand still for 10 seconds.\n`)
    after(FROZEN_MS, async () => {
      await thaw()
      after(-Math.log(1 - random()) * everyMs, freezeOnce)
    })
  }
  after(random() * Math.min(FIRST_WITHIN_MS, everyMs), freezeOnce)
  return async () => {
    clearTimeout(next)
    await thaw()
  }
}

/** The same numbers, from 0 to 1, for the same seed. */
function makeRandom(seed: string): () => number {
  let count = 0
  return () => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32BE() / 2 ** 32
}
