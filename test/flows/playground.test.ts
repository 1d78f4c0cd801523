import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'

// What `npm run start:playground` runs, with a temporary folder of its own to see what it leaves.

test('a playground starts, takes a live payment, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-tests-playground-'))
  const program = fileURLToPath(new URL('../support/networks/playground.ts', import.meta.url))
  const child = spawn(process.execPath, [program], {
    // Neither is read: a playground can't reach a database that somebody works with.
    env: {
      ...process.env,
      TMPDIR: folder,
      PORT: String(await freePort()),
      DATABASE_URL: 'postgres://nowhere.invalid/x',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes('customization[title]=Two')) break
  }
  const url = /Pay this one: +(\S+)/.exec(said)?.[1] ?? assert.fail(said)
  const page = await (await fetch(url)).text()
  assert.match(page, /Stripe/)
  assert.match(page, /GoCardless/)
  assert.match(page, /Two seats/)
  const dashboard = /Dashboard +(\S+)/.exec(said)?.[1] ?? assert.fail(said)
  assert.equal((await fetch(dashboard)).status, 200)
  // As a shell reads it: another tx_ref each time it is pasted.
  const command = /Another one: +(curl [^]*Two seats")/.exec(said)?.[1] ?? assert.fail(said)
  assert.match(command, /tx_ref=order-\$\(date \+%s\) /)
  assert.match(said, /Pay, then dispute the payment/)
  // As a terminal and npm do together.
  child.kill('SIGINT')
  child.kill('SIGINT')
  assert.equal((await ended)[0], 0)
  assert.deepEqual(
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('florin-playground')) : [],
    [],
  )
  rmSync(folder, { recursive: true, force: true })
})
