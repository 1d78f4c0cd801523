import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { cert, key } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { payOut } from '../support/pay-out.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { paidPayment } from '../support/refunds.ts'
import { runFlorin, runFlorinProcess, type Ended } from '../support/run-florin.ts'

// Payments from the command line, by the public API; where the key comes from; and servers that are not what was meant.

let house: House
let settings: Record<string, string>
before(async () => {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({ settings: { PORT: port, BASE_URL: baseUrl } })
  settings = { BASE_URL: baseUrl, FLORIN_KEY: house.secretKey }
})
after(() => house.close())

const payments = async (...args: string[]): Promise<Ended> => runFlorin(['payments', ...args], settings)

test('a payment is created, shown, listed and cancelled', async () => {
  const created = await payments('create', '--amount', '1234.5', '--title', 'Shoes', '--tx-ref', 'a/b c')
  assert.equal(created.code, 0, created.err)
  assert.match(
    created.out,
    /^tx_ref {8}a\/b c\namount {8}GBP 1234\.5\nmode {10}test\ncheckout_url  http:\S+\/payment\/\d{32}\n$/,
  )
  const shown = await payments('show', 'a/b c')
  assert.match(shown.out, /^tx_ref {8}a\/b c\nstatus {8}pending\nmode {10}test\namount {8}GBP 1,234\.50\n/)
  assert.match(shown.out, /\ncustomer {6}Ada Lovelace <ada@example\.com>\n/)

  const fresh = await payments('create', '--amount', '5', '--email', 'bob@example.com', '--json')
  const { tx_ref: txRef, checkout_url: url } = JSON.parse(fresh.out) as Record<string, string>
  assert.match(txRef ?? '', /^cli-[0-9a-f]{12}$/, 'a new one each time')
  assert.match(url ?? '', /\/payment\/\d{32}$/)
  const cancelled = await payments('cancel', txRef ?? '', '--json')
  assert.equal((JSON.parse(cancelled.out) as { status: string }).status, 'cancelled')

  assert.match(
    (await payments('list')).out,
    /^\S+Z  cancelled {6}5\.00  GBP  cli-\w+  bob@example\.com\n\S+Z  pending {4}1,234\.50  GBP  a\/b c {13}ada@example\.com\n$/,
  )
  const found = JSON.parse((await payments('list', '--status', 'pending', '--since', '1h', '--json')).out)
  assert.deepEqual(
    (found as { tx_ref: string }[]).map((one) => one.tx_ref),
    ['a/b c'],
  )
  assert.equal((await payments('list', '--until', '1h')).out, '')
})

test('a list continues over pages up to its limit', async () => {
  for (let made = 0; made < 102; made += 1) {
    const request = paymentRequest({ tx_ref: `page-${made}`, email: 'pages@example.com' })
    assert.equal((await post(`${house.url}/api/payment`, request, house.secretKey)).status, 201)
  }
  const rows = async (limit: string): Promise<number> =>
    (await payments('list', '--email', 'pages@example.com', '--limit', limit)).out.trimEnd().split('\n')
      .length
  assert.deepEqual([await rows('3'), await rows('101'), await rows('1000')], [3, 101, 102])
})

test('a server’s refusal is shown in its words, with its URL', async () => {
  const asked = ` (asked ${settings['BASE_URL']})\n`
  const refused: [string[], string][] = [
    [['show', 'nothing'], 'Transaction not found'],
    [['create', '--amount', '5', '--tx-ref', 'a/b c'], 'tx_ref has been used before'],
    [['create', '--amount', 'ten'], 'amount must be a plain decimal number such as 1000.50'],
    [['cancel', 'nothing'], 'Transaction not found'],
  ]
  for (const [args, line] of refused)
    assert.deepEqual(await payments(...args), { code: 69, out: '', err: line + asked })
  const live = await runFlorin(['payments', 'create', '--amount', '5'], {
    ...settings,
    FLORIN_KEY: house.liveKey,
  })
  assert.deepEqual(
    [live.code, live.err],
    [69, `first_name is required${asked}`],
    'nobody is made up in live mode',
  )
})

test('a key is required, in the environment or as an option, and a typo is reported before any call', async () => {
  const without = { BASE_URL: 'http://127.0.0.1:1' }
  const list = ['payments', 'list']
  const cases: [Record<string, string>, string[], string][] = [
    [
      {},
      [],
      'A secret key is required: set FLORIN_KEY to sk_test_… or sk_live_… (create one: florin key create)',
    ],
    [{ FLORIN_KEY: house.apiKey }, [], 'FLORIN_KEY must be a secret key, sk_test_… or sk_live_…'],
    [
      { FLORIN_KEY: `${house.secretKey}x` },
      [],
      'FLORIN_KEY is mistyped or cut off: a secret key has 46 characters',
    ],
    [{ FLORIN_KEY: house.secretKey }, ['--key', 'x'], '--key must be a secret key, sk_test_… or sk_live_…'],
  ]
  for (const [more, args, line] of cases) {
    const { code, err } = await runFlorin([...list, ...args], { ...without, ...more })
    assert.deepEqual([code, err], [64, `${line}\n`])
  }
})

test('an untrusted certificate is distinguished from an unreachable server', async () => {
  const server = createServer(
    { key, cert },
    (_, response) => void response.end('{"status":"x","message":"y"}'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), 'florin-authority-'))
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, cert)
  const at = async (BASE_URL: string, more: Record<string, string> = {}): Promise<Ended> =>
    runFlorinProcess(['payments', 'list'], { ...settings, BASE_URL, ...more }) // Node reads its authorities once

  const self = await at(`https://127.0.0.1:${port}`)
  assert.deepEqual(self, {
    code: 69,
    out: '',
    err: `The certificate of https://127.0.0.1:${port} is self-signed, and this machine does not trust it: set NODE_EXTRA_CA_CERTS to its authority's certificate file.\n`,
  })
  const named = await at(`https://localhost:${port}`, { NODE_EXTRA_CA_CERTS: authority })
  assert.match(named.err, /^The certificate of https:\/\/localhost:\d+ is for another name: /)
  const trusted = await at(`https://127.0.0.1:${port}`, { NODE_EXTRA_CA_CERTS: authority })
  assert.doesNotMatch(trusted.err, /certificate/)
  const plain = await at((settings['BASE_URL'] ?? '').replace('http:', 'https:'))
  assert.match(
    plain.err,
    /^The server at https:\S+ does not use HTTPS\. If that is intended, set BASE_URL to http:/,
  )
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  const away = await at(`https://127.0.0.1:${port}`)
  assert.equal(
    away.err,
    `Florin does not answer at https://127.0.0.1:${port}. Start it, or set BASE_URL to its URL.\n`,
  )
  rmSync(folder, { recursive: true })
})

test('payouts are listed, and one is shown with its lines', async () => {
  const payouts = async (...args: string[]): Promise<Ended> => runFlorin(['payouts', ...args], settings)
  assert.equal((await payouts('list')).out, '')
  await paidPayment(house, 'good')
  const id = await payOut(house)
  assert.match((await payouts('list')).out, new RegExp(`  GBP  \\S+ .*${id}\\n$`))
  assert.equal((await payouts('list', '--status', 'failed')).out, '')
  const shown = await payouts('show', id)
  assert.match(shown.out, new RegExp(`^payout +${id}\\nstatus +`))
  assert.match(shown.out, /\n\S+Z +payment +[\d.,]+ +[\d.,]+ +\S+\n/)
  const { lines } = JSON.parse((await payouts('show', id, '--json')).out) as { lines: { kind: string }[] }
  assert.ok(lines.some(({ kind }) => kind === 'payment'))
  assert.match((await payouts('show')).err, /Name one: florin payouts show PAYOUT/)
  const unknown = await payouts('show', 'po_unknown')
  assert.deepEqual(unknown, {
    code: 69,
    out: '',
    err: `Payout not found (asked ${settings['BASE_URL']})\n`,
  })
})
