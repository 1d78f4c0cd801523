import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { inTransaction } from '../../src/platform/database/database.ts'
import { makeKey } from '../../src/core/merchants/key-format.ts'
import { drawDeliveryId } from '../../src/core/notifications/delivery-id.ts'
import { insertDeliveries } from '../../src/core/notifications/store.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openReceiver } from '../support/receiver.ts'
import { ordinary, runFlorin, type Ended } from '../support/run-florin.ts'

// A developer's afternoon: listen, trigger, look.

let house: House
let worker: { stop(): Promise<void> }
let settings: Record<string, string>
before(async () => {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({ settings: { PORT: port, BASE_URL: baseUrl } })
  worker = house.app.startWorker()
  settings = { BASE_URL: baseUrl, DATABASE_URL: house.databaseUrl }
})
after(async () => {
  await worker.stop()
  await house.close()
})

const florin = async (...args: string[]): Promise<Ended> => runFlorin(args, settings)

function startListening(target?: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
  const args = [program, 'listen', ...(target === undefined ? [] : ['--forward-to', target])]
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env: { ...ordinary(), ...settings, FLORIN_KEY: house.secretKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

test('listen forwards what trigger creates, signed, without a callback_url, and prints tx_ref, amount and answer', async () => {
  const local = await openReceiver((_, response) => void response.writeHead(202).end('noted\n\u001b[2J too'))
  const { child, lines } = startListening(local.url)
  const secret = (await florin('webhook-secret', 'show')).out.trim()
  const beginning = [await lines.next(), await lines.next(), await lines.next()].map(({ value }) =>
    String(value),
  )
  assert.deepEqual(beginning, [
    `Listening   to test mode at ${settings['BASE_URL']}`,
    `Secret      ${secret}`,
    `Forwarding  to ${local.url}`,
  ])
  const events = ['payment.success', 'payment.cancelled', 'payment.failed']
  for (const [index, event] of events.entries()) {
    const made = await florin('trigger', event, '--key', house.secretKey, '--json')
    assert.equal(made.code, 0, made.err)
    const { tx_ref: txRef } = JSON.parse(made.out) as { tx_ref: string }
    const received = (await local.first(index + 1))[index]
    assert.ok(received)
    const body = new Webhook(secret).verify(received.body, received.headers) as Record<string, string>
    assert.deepEqual([body['event'], body['tx_ref']], [event, txRef])
    assert.equal(received.headers['user-agent'], 'Florin', 'as it would be sent')
    const line = String((await lines.next()).value)
    assert.match(
      line,
      new RegExp(
        `^\\d\\d:\\d\\d:\\d\\dZ  ${event.replace('.', '\\.')} *  ${received.headers['webhook-id']}  GBP 10\\.00  ${txRef}  202 in \\d+ ms  noted \\\\u001b\\[2J too$`,
      ),
    )
  }
  assert.equal(local.received.length, 3)

  await local.close()
  const made = await florin('trigger', 'payment.success', '--key', house.secretKey)
  assert.equal(made.code, 0, made.err)
  assert.match(
    String((await lines.next()).value),
    /  GBP 10\.00  trigger-\w+  no answer \(ECONNREFUSED\) in \d+ ms$/,
  )
  child.kill('SIGINT')
  await once(child, 'exit')
})

test('listen prints warnings about fields that were ignored', async () => {
  const { child, lines } = startListening()
  await lines.next()
  await lines.next()
  const body = paymentRequest({ returnUrl: 'http://localhost/x', metadata: {} })
  await post(`${house.url}/api/payment`, body, house.secretKey)
  const printed = [await lines.next(), await lines.next()].map(({ value }) => String(value).slice(8))
  assert.deepEqual(printed, [
    'Z  POST /api/payment  returnUrl was ignored: did you mean return_url?',
    'Z  POST /api/payment  metadata was ignored: did you mean meta?',
  ])
  child.kill('SIGINT')
  await once(child, 'exit')
})

test('listen without a receiver shows each payment’s events', async () => {
  const { child, lines } = startListening()
  await lines.next()
  assert.match(String((await lines.next()).value), /^Secret +whsec_/)
  const made = await florin(
    'trigger',
    'payment.success',
    '--key',
    house.secretKey,
    '--amount',
    '12.5',
    '--json',
  )
  const { tx_ref: txRef } = JSON.parse(made.out) as { tx_ref: string }
  const line = String((await lines.next()).value)
  assert.match(line, /^\d\d:\d\d:\d\dZ  payment\.success {4}evt_\S+  GBP 12\.50  trigger-\w+$/)
  assert.ok(line.endsWith(txRef))
  child.kill('SIGINT')
  await once(child, 'exit')
})

test('listen forwards each event once, however many arrive together', async () => {
  const local = await openReceiver((_, response) => void response.writeHead(200).end())
  const { child, lines } = startListening(local.url)
  for (const start of ['Listening', 'Secret', 'Forwarding'])
    assert.ok(String((await lines.next()).value).startsWith(start))
  const count = 250
  await inTransaction(house.db, async (tx) =>
    insertDeliveries(
      tx,
      house.merchantId,
      Array.from({ length: count }, () => ({
        merchant_id: house.merchantId,
        id: drawDeliveryId('evt'),
        kind: 'ipn',
        mode: 'test',
        event: 'payment.success',
        number: null,
        target: '',
        origin: '',
        body: '{}',
        state: 'kept',
      })),
    ),
  )
  await local.first(count)
  const made = await florin('trigger', 'payment.success', '--key', house.secretKey)
  assert.equal(made.code, 0, made.err)
  const received = await local.first(count + 1)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, count + 1)
  child.kill('SIGINT')
  await once(child, 'exit')
  await local.close()
})

test('the mailbox shows test receipts', async () => {
  const made = await florin('trigger', 'payment.success', '--key', house.secretKey, '--json')
  const { tx_ref: txRef } = JSON.parse(made.out) as { tx_ref: string }
  const listed = await florin('mailbox')
  assert.equal(listed.code, 0, listed.err)
  assert.match(listed.out, /^msg_\S+ +\S+Z +ada@example\.com +Receipt from Corner shop/)
  const id = /^\S+/.exec(listed.out)?.[0] ?? ''
  assert.equal(
    (await florin('mailbox', '--limit', '1')).out,
    listed.out.slice(0, listed.out.indexOf('\n') + 1),
  )
  assert.equal((await florin('mailbox', '--limit', '0')).err, '--limit must be 1 to 1000, but is "0"\n')
  const letter = await florin('mailbox', 'show', id)
  assert.match(
    letter.out,
    /^From: {4}Corner shop <no-reply@127\.0\.0\.1>\nTo: {6}\S+@\S+\nSubject: .+\nDate: /,
  )
  assert.ok(letter.out.includes(txRef), letter.out)
  assert.match((await florin('mailbox', 'show', id, '--html')).out, /^<!doctype html>/i)
  assert.deepEqual(
    [(await florin('mailbox', 'show', 'msg_none')).code, (await florin('mailbox', 'show')).code],
    [69, 64],
  )
})

test('mistakes are one line that says what to do', async () => {
  const asked: [string[], RegExp][] = [
    [['listen', '--forward-to', 'x'], /^--forward-to must be a URL such as .+, but is "x"$/m],
    [
      ['listen', '--forward-to', 'http://localhost:4000/ipn'],
      /^A secret key is required: set FLORIN_KEY to sk_test_… \(create one: florin key create\)$/m,
    ],
    [['trigger'], /^Name an event: florin trigger payment\.success, /],
    [
      ['listen', '--forward-to', 'http://localhost:4000/ipn', '--key', house.liveKey],
      /^--key must be a secret key for test mode/,
    ],
    [
      ['trigger', 'payment.expired', '--key', house.secretKey],
      /^EVENT must be one of payment\.success, payment\.failed, payment\.cancelled/,
    ],
    [['webhook-secret'], /^Name a subcommand/],
    [['webhook-secret', 'roll', '--overlap', '99'], /^--overlap must be 0 to 72 hours, but is "99"$/m],
  ]
  for (const [args, line] of asked) {
    const { code, err } = await florin(...args)
    assert.equal(code, 64, err)
    assert.match(err, line)
  }
  const typo = `${house.secretKey.slice(0, -1)}${house.secretKey.endsWith('0') ? '1' : '0'}`
  const wrong = await florin('trigger', 'payment.success', '--key', typo)
  const line = '--key is mistyped or cut off: a secret key has 46 characters'
  assert.deepEqual([wrong.code, wrong.err.trim()], [64, line])
  const strange = makeKey('secret', 'test', house.merchantId)
  const refused = await florin('trigger', 'payment.success', '--key', strange)
  const said = `Invalid secret key (asked ${settings['BASE_URL']})`
  assert.deepEqual([refused.code, refused.err.trim()], [69, said])
})

test('another web server in Florin’s place is distinguished from none', async () => {
  const other = await openReceiver((_, response) => void response.end('<!doctype html>'))
  const { origin } = new URL(other.url)
  for (const args of [
    ['trigger', 'payment.success'],
    ['listen', '--forward-to', other.url],
  ]) {
    const { code, err } = await runFlorin([...args, '--key', house.secretKey], { BASE_URL: origin })
    const line = `The server at ${origin} is not Florin. Set BASE_URL to Florin's URL.\n`
    assert.deepEqual([code, err], [69, line])
  }
  await other.close()
})

test('a secret is shown, rolled and otherwise unchanged', async () => {
  const first = (await florin('webhook-secret', 'show', '--mode', 'live')).out.trim()
  assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal((await florin('webhook-secret', 'show', '--mode', 'live')).out.trim(), first)
  const rolled = (await florin('webhook-secret', 'roll', '--mode', 'live', '--overlap', '1')).out.trim()
  assert.notEqual(rolled, first)
  const both = JSON.parse((await florin('webhook-secret', 'show', '--mode', 'live', '--json')).out) as {
    secret: string
  }[]
  assert.deepEqual(
    both.map(({ secret }) => secret),
    [rolled, first],
  )
})
