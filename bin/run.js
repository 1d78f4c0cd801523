// Runs a program of ours on the Node that npm brings: `node bin/run.js faults/run.ts --seed 1`.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.js'
import { spawnKept } from './kept.js'
import { InstallError } from './npm.js'
import { findRuntime } from './runtime.js'
import { onStopSignal } from './stop-signals.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const [program = '', ...args] = process.argv.slice(2)

try {
  await ensureInstalled({ dev: true })
  const child = spawnKept(await findRuntime(), [join(ROOT, program), ...args], {
    stdio: ['inherit', 'inherit', 'inherit'],
    signal: 'TERM',
  })
  const letGo = onStopSignal((signal) => child.kill(signal))
  child.on('exit', (code, signal) => {
    letGo()
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}
