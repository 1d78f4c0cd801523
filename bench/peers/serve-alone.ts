import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onStopSignal } from '../../bin/stop-signals.js'
import { folderOf } from './install.ts'
import type { OpenPeer } from './server.ts'

// A peer by itself, to be looked at or loaded by hand: its plans go to its folder, and it runs until it is stopped.

export async function serveAlone(name: string, open: OpenPeer): Promise<void> {
  const letGo = onStopSignal(() => process.exit(1))
  const folder = folderOf(name, process.argv[2])
  mkdirSync(folder, { recursive: true })
  await using peer = await open(folder, (doing) => process.stderr.write(`${name}: ${doing}\n`))
  for (const [file, plan] of [
    ['create.json', peer.create],
    ['look-up.json', peer.lookUp],
  ] as const) {
    const path = join(folder, file)
    writeFileSync(path, JSON.stringify(plan))
    process.stdout.write(`node bin/run.js bench/peers/load.ts ${path} ${peer.pids.join(' ')}\n`)
  }
  letGo()
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
}
