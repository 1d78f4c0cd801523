import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { call, post } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { ordinary, runFlorin, runFlorinProcess, type Ended } from '../support/run-florin.ts'

// A start with no set-up: the embedded database in a folder of its own.

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'florin-first-start-'))
const dataDir = join(folder, 'data')
let baseUrl: string
let settings: Record<string, string>
let server: { child: ChildProcess; lines: string[] }
let secretKey: string
let onTakenPort: Ended

before(async () => {
  const port = String(await freePort())
  baseUrl = `http://127.0.0.1:${port}`
  settings = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'silent' }
  const other = createServer().listen(Number(port), '127.0.0.1')
  await once(other, 'listening')
  onTakenPort = await runFlorin(['serve'], settings)
  other.close()
  await once(other, 'close')
  server = await start()
})

after(async () => {
  await stop(server.child)
  rmSync(folder, { recursive: true, force: true })
})

test('a first start with a taken port says so, and the next one still shows the keys', () => {
  assert.deepEqual([onTakenPort.code, onTakenPort.out], [69, ''])
  assert.match(
    onTakenPort.err,
    /\nPort \d+ on 127\.0\.0\.1 is in use\. Stop the program using it, or set PORT to another port\.\n$/,
  )
  assert.match(server.lines.join('\n'), /Secret key +sk_test_/)
})

test('the first start shows everything needed to try it, and ends with ready', async () => {
  const shown = server.lines.join('\n')
  assert.equal(server.lines.at(-1), `Florin is ready at ${baseUrl}`)
  assert.match(shown, new RegExp(`Base URL +${baseUrl}\n`))
  const reference = /Reference +(http\S+)\n/.exec(shown)?.[1] ?? ''
  assert.equal((await fetch(reference)).status, 200)
  secretKey = /Secret key +(sk_test_\w{38})\n/.exec(shown)?.[1] ?? ''
  assert.equal(
    (await post(`${baseUrl}/api/payment`, paymentRequest({ tx_ref: 'kept' }), secretKey)).status,
    201,
  )
  assert.match(shown, /API key +ak_\w{38}\n/)
})

test('the printed curl line creates a payment, and another when pasted again', async () => {
  const line = server.lines.find((found) => found.startsWith('curl ')) ?? ''
  for (const second of ['1', '2']) assert.match(await paste(line, second), /"checkout_url":"http/)
})

test('the first start says how notifications are verified and followed', async () => {
  const shown = /Webhook secret +(whsec_\S+)/.exec(server.lines.join('\n'))?.[1]
  const { out } = await runFlorin(['webhook-secret', 'show'], { DATA_DIR: dataDir })
  assert.equal(shown, out.trim())
  assert.ok(server.lines.includes(`BASE_URL=${baseUrl} bin/florin listen`))
})

test('a command finds the database of the server running in its folder', async () => {
  const { code, out } = await runFlorin(['key', 'list', '--json'], { DATA_DIR: dataDir })
  assert.equal(code, 0)
  const names = (JSON.parse(out) as { name: string }[]).map((key) => key.name)
  assert.deepEqual(names, ['first test key', 'first API key'])
})

test('a second server on the same folder refuses in one line', async () => {
  const { code, out, err } = await runFlorin(['serve'], { ...settings, PORT: String(await freePort()) })
  assert.deepEqual([code, out], [69, ''])
  assert.match(err, /^Florin is already running on .+\n$/)
})

test('saved data survives a restart, and no second demo merchant is created', async () => {
  await stop(server.child)
  const { out } = await runFlorinProcess(['merchant', 'list', '--json'], { DATA_DIR: dataDir })
  assert.equal((JSON.parse(out) as unknown[]).length, 1, 'a command starts the database for itself')
  server = await start()
  assert.deepEqual(server.lines, [`Florin is ready at ${baseUrl}`])
  assert.equal((await call(`${baseUrl}/api/transaction/kept`, { key: secretKey })).status, 200)
})

test('a query in a folder without a database creates none', async () => {
  const empty = join(folder, 'elsewhere')
  for (const args of [
    ['merchant', 'list'],
    ['key', 'create'],
    ['webhook-secret', 'show'],
  ]) {
    assert.deepEqual(await runFlorin(args, { DATA_DIR: empty }), {
      code: 69,
      out: '',
      err: `No database in ${empty}. Start florin serve first, or set DATA_DIR.\n`,
    })
  }
  assert.equal(existsSync(empty), false)
})

test('Ctrl-C while the database is being created prints no error', async () => {
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: { ...ordinary(), ...settings, DATA_DIR: join(folder, 'interrupted'), PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a group of its own, which a terminal would send the signal to
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.startsWith('Creating')) process.kill(-(child.pid ?? 0), 'SIGINT')
  }
  assert.deepEqual(await ended, [130, null])
  assert.deepEqual(lines, ['Creating the database, once …', 'Stopped. Run it again to continue.'])
})

/** A shell does with the line what it does with a person's; for curl and the time stands what the test says. */
async function paste(line: string, second: string): Promise<string> {
  const tools = join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'curl.mjs'), curl)
  writeFileSync(join(tools, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${tools}/curl.mjs' "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(tools, 'date'), `#!/bin/sh\necho ${second}\n`, { mode: 0o755 })
  const env = { ...ordinary(), PATH: `${tools}:${process.env['PATH']}` }
  const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}

/** What curl would do with these arguments; curl itself may not be there. */
const curl = `
  const [url, ...rest] = process.argv.slice(2)
  const headers = new Headers()
  let body
  for (let at = 0; at < rest.length; at += 2) {
    if (rest[at] === '-H') headers.set(...rest[at + 1].split(': '))
    else if (rest[at] === '-d') body = rest[at + 1]
    else throw new Error('unknown option ' + rest[at])
  }
  const answer = await fetch(url, { method: 'POST', headers, body })
  process.stdout.write(await answer.text() + '\\n')
`

async function start(): Promise<typeof server> {
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: { ...ordinary(), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('Florin is ready')) resolve()
    })
  })
  return { child, lines }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
}
