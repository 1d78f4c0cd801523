import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { runOf, summarise, type Pace } from './measure.ts'
import type { Report } from './report.ts'

// From the command to the line that says ready, on a data folder that is there already.

const launcher = fileURLToPath(new URL('../bin/florin', import.meta.url))

export async function benchReady({ rounds, say }: Pace): Promise<Report[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-ready-'))
  try {
    const seconds: number[] = []
    // The first one makes the folder.
    for (let round = 0; round <= rounds; round += 1) {
      say(runOf(round, rounds))
      const took = await startAndStop(dataDir)
      if (round > 0) seconds.push(took)
    }
    const { median, low, high } = summarise(seconds)
    return [
      {
        work: 'ready after a start',
        beside: '–',
        goal: '≤ 3 s',
        result: `${median.toFixed(1)} s`,
        spread: `${low.toFixed(1)}–${high.toFixed(1)}`,
        detail: 'bin/florin serve, existing data folder',
      },
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function startAndStop(dataDir: string): Promise<number> {
  const begin = performance.now()
  const child = spawn(process.execPath, [launcher, 'serve'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('Florin is ready') && resolve())
    child.on('exit', (code) => reject(new Error(`Florin ended with ${code} before it was ready`)))
  })
  const seconds = (performance.now() - begin) / 1000
  child.kill('SIGTERM')
  await ended
  return seconds
}
