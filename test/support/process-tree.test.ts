import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { makeProcessTree, readProcess } from './process-tree.ts'
import { waitUntil } from './wait-until.ts'

const options = { skip: process.platform === 'linux' ? false : 'only Linux has /proc' }

// Prints the numbers of four that live until its input ends: itself, one in a session of its own, one with no environment, and
// one in a session of its own whose parent has ended.
const tree = `
  const { spawn } = require('node:child_process')
  const stay = 'console.log(process.pid); process.stdin.resume()'
  const leave = 'require("node:child_process").spawn(process.execPath, ["-e", process.env.STAY], ' +
    '{ detached: true, stdio: "inherit" }).on("spawn", () => process.exit())'
  const start = (script, env, detached) =>
    spawn(process.execPath, ['-e', script], { env, detached, stdio: 'inherit' })
  start(stay, process.env, true)
  start(stay, {}, false)
  start(leave, { ...process.env, STAY: stay }, true).on('exit', () => console.log(process.pid))
  process.stdin.resume().on('end', () => process.exit())
`

test(
  'all processes of a tree are frozen and resumed, whatever their session, environment or parent',
  options,
  async (t) => {
    const run = makeProcessTree()
    const child = spawn(process.execPath, ['-e', tree], {
      env: { ...process.env, ...run.environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const pids: number[] = []
    const ended = once(child.stdout, 'end')
    t.after(async () => {
      child.stdin.end()
      await ended
    })
    createInterface({ input: child.stdout }).on('line', (line) => pids.push(Number(line)))
    await waitUntil('all four have started', () => pids.length === 4)
    const states = (): string[] => pids.map((pid) => readProcess(pid)?.state ?? 'gone')

    const frozen = await run.freeze()
    assert.deepEqual(new Set(frozen.pids), new Set(pids))
    await waitUntil('each of them stands still', () => states().every((state) => state === 'T'))
    assert.notEqual(readProcess(process.pid)?.state, 'T')

    await frozen.thaw()
    await waitUntil('each of them goes on', () => !states().includes('T'))
    assert.ok(!states().includes('gone'))
  },
)
