import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { lockDataFolder } from '../../src/platform/postgres/data-folder.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'

// A process of its own that holds a data folder as a server does, to be killed by a test.

const [task, dataDir] = process.argv.slice(2)
if (process.argv[1] === fileURLToPath(import.meta.url) && task && dataDir) await hold(task, dataDir)

export async function startOwner(
  what: 'lock' | 'database',
  folder: string,
): Promise<{ process: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), what, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [firstLine] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { process: child, firstLine }
}

async function hold(what: string, folder: string): Promise<void> {
  const lock = lockDataFolder(folder)
  lock.announce('http://127.0.0.1:3000')
  const url = what === 'database' ? (await startEmbedded({ dataDir: folder })).url : 'locked'
  process.stdout.write(`${url}\n`)
  process.stdin.resume().on('end', () => process.exit(0)) // its test is gone
}
