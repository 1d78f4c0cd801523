import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { reachWithinMs, type Fault } from './play.ts'

// Needs a small file system of its own, which takes root to make: `mount -t tmpfs -o size=300m tmpfs /mnt/small`.

const chunk = Buffer.alloc(1_000_000, 1)

export function fullDisk(folder: string): Fault {
  return {
    name: 'disk full',
    clients: 12,
    runs: { short: 1, long: 20 },
    // Little room for the write-ahead log, so that it meets the end of the disk.
    stage: { dataParent: folder, postgres: { max_wal_size: '64MB', min_wal_size: '32MB' } },
    async strike(act) {
      await pause(act.random.whole(50, 500))
      const ballast = join(folder, 'ballast')
      const before = complaints(act.stage.logFile)
      fill(ballast)
      const deadline = Date.now() + reachWithinMs
      while (complaints(act.stage.logFile) === before && Date.now() < deadline) await pause(50)
      // Struck when the server is told so: on the full disk PostgreSQL can not write its own log.
      if (complaints(act.stage.logFile) > before) act.hit()
      await pause(act.random.whole(1_000, 3_000))
      const at = Date.now()
      rmSync(ballast)
      await act.recovered(at)
    },
  }
}

function complaints(log: string): number {
  return readFileSync(log, 'utf8').split('53100').length - 1
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = chunk.length; size > 0;) {
      try {
        writeSync(file, chunk, 0, size)
      } catch {
        // Smaller and smaller pieces, down to the last byte.
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}
