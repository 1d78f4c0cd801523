import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Database } from '../../src/platform/database/database.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { drawSecretsKey, readSecretsKey } from '../../src/platform/secrets/secrets-key.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { post } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// The key that secrets are sealed under, as an operator meets it: missing, wrong, in a file, and changed while two
// servers work.

let folder = ''
let home: TestDatabase
let merchantId = 0
let secretKey = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-secrets-'))
  home = await createTestDatabase()
  const db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  secretKey = (await createKey(db, merchantId, { kind: 'secret', name: 'test' })).key
  await db.close()
})
after(async () => {
  await home.drop()
  rmSync(folder, { recursive: true })
})

const idOf = (key: string): string => readSecretsKey(key)?.id ?? ''
const [first, second] = [drawSecretsKey(), drawSecretsKey()]

async function florin(args: string[], settings: Record<string, string>): Promise<Ended> {
  return runFlorin(args, {
    DATABASE_URL: home.url,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ALLOW_UNSAFE_DATABASE: 'on',
    ...settings,
  })
}

async function isRefused(ended: Promise<Ended>, sentence: RegExp): Promise<void> {
  const { code, out, err } = await ended
  assert.match(err, sentence)
  assert.equal(err.trim().split('\n').length, 1, err)
  assert.deepEqual([code, out], [78, ''])
}

test('a public server on your own PostgreSQL doesn’t start without a key, and doesn’t invent one', async () => {
  const missing = /^SECRETS_KEY is missing: .*"florin secrets key".*keep a copy apart/
  await isRefused(florin(['serve'], { SECRETS_KEY: '', HOST: '0.0.0.0' }), missing)
  await isRefused(florin(['serve'], { SECRETS_KEY: '', BASE_URL: 'https://pay.example.com' }), missing)
  assert.equal(existsSync(join(folder, 'data')), false)
})

test('an invalid key is reported like any other setting, without the key', async () => {
  const { code, err } = await florin(['serve'], { SECRETS_KEY: 'hunter2' })
  assert.equal(code, 78)
  assert.match(err, /^SECRETS_KEY must be 32 bytes in base64, as florin secrets key makes them, but is "…"/)
})

test('on a local installation the key is kept in a file, and its absence is reported', async () => {
  const own = await createTestDatabase()
  const settings = { DATABASE_URL: own.url, SECRETS_KEY: '' }
  const file = join(folder, 'data', 'secrets.key')
  await florin(['merchant', 'create', '--name', 'Corner shop'], settings)
  const shown = await florin(['webhook-secret', 'show'], settings)
  assert.match(shown.out, /^whsec_/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(await florin(['webhook-secret', 'show'], settings), shown)

  const text = readFileSync(file, 'utf8')
  rmSync(file)
  await isRefused(
    florin(['webhook-secret', 'show'], settings),
    /encrypted with key [0-9a-f]{16}, but no key is set and .*secrets\.key does not exist\. Restore that file/,
  )
  assert.equal(existsSync(file), false)
  writeFileSync(file, text)

  // It makes its next key itself.
  const { out } = await florin(['secrets', 'rotate'], settings)
  assert.match(out, /^Encrypted 1 secret with the key [0-9a-f]{16} instead of [0-9a-f]{16}\n$/)
  assert.ok(readFileSync(file, 'utf8').endsWith(text.split('\n').slice(-2).join('\n')))
  assert.deepEqual(await florin(['webhook-secret', 'show'], settings), shown)
  await own.drop()
})

test('a wrong key is reported by every command that needs one, and at startup', async () => {
  const shown = await florin(['webhook-secret', 'show'], { SECRETS_KEY: first })
  assert.match(shown.out, /^whsec_/)
  const make = ['key', 'create', '--kind', 'form', '--hosts', 'shop.example.com', '--signed', '--json']
  const signed = JSON.parse((await florin(make, { SECRETS_KEY: first })).out) as { id: string; key: string }
  for (const args of [
    make,
    ['key', 'roll', signed.id],
    ['form', '--key', signed.key, '--amount', '20.00'],
    ['serve'],
    ['worker'],
    ['webhook-secret', 'show'],
    ['secrets', 'check'],
    ['secrets', 'rotate'],
  ])
    await isRefused(
      florin(args, { SECRETS_KEY: second }),
      new RegExp(
        `^The secrets in this database are encrypted with the key ${idOf(first)}, but ${idOf(second)} was set`,
      ),
    )
  await isRefused(
    florin(['serve'], { SECRETS_KEY: '', SECRETS_KEY_FILE: join(folder, 'none') }),
    / does not exist\. It should hold the key/,
  )
  await isRefused(florin(['secrets', 'rotate'], { SECRETS_KEY: first }), /^There is no new key/)
})

test('keys without a secret can be created, rolled and used in forms without the secrets key', async () => {
  const settings = { SECRETS_KEY: '', SECRETS_KEY_FILE: join(folder, 'none') }
  const json = async (...args: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse((await florin([...args, '--json'], settings)).out)
  const secret = await json('key', 'create')
  assert.match((await json('key', 'roll', secret.id)).key, /^sk_test_/)
  const form = await json('key', 'create', '--kind', 'form', '--hosts', 'shop.example.com')
  const { key } = await json('key', 'roll', form.id)
  assert.match((await florin(['form', '--key', key, '--amount', '20.00'], settings)).out, /^<form /)
})

type Customers = { readonly payments: readonly string[]; stop(): Promise<void> }

/** Starts payments and cancels them, as customers do, until it is told to stop. */
function keepBuying(server: ServerProcess, receiver: Receiver, name: string): Customers {
  const payments: string[] = []
  const stopping = new AbortController()
  async function buy(): Promise<void> {
    while (!stopping.signal.aborted) {
      const txRef = `${name}-${payments.length}`
      const request = paymentRequest({ tx_ref: txRef, callback_url: receiver.url })
      const created = await post(`${server.url}/api/payment`, request, secretKey)
      assert.equal(created.status, 201, created.text)
      const digits = (created.json.data as { checkout_url: string }).checkout_url.slice(-32)
      const page = await fetch(`${server.url}/payment/${digits}`)
      const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
      await fetch(`${server.url}/payment/${digits}/cancel`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ token }),
      })
      payments.push(txRef)
    }
  }
  const ended = buy()
  return {
    payments,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

test('keys are rotated while two servers work: every notification meanwhile has the same signing secret', async () => {
  const receiver = await openReceiver()
  const [both, onlyNew] = [{ SECRETS_KEY: second, SECRETS_KEY_OLD: first }, { SECRETS_KEY: second }]
  const secret = (await florin(['webhook-secret', 'show'], { SECRETS_KEY: first })).out.trim()
  const one = await startServerProcess(home.url, both)
  const other = await startServerProcess(home.url, both)
  const ofOne = keepBuying(one, receiver, 'one')
  const ofOther = keepBuying(other, receiver, 'other')
  await receiver.first(5)

  const rotated = await florin(['secrets', 'rotate'], both)
  assert.deepEqual([rotated.code, rotated.err], [0, ''])
  assert.match(
    rotated.out,
    new RegExp(`^Encrypted [2-9] secrets with the key ${idOf(second)} instead of ${idOf(first)}\n$`),
  )
  await receiver.first(receiver.received.length + 5)
  // One is restarted with the new key alone while the other goes on.
  await ofOther.stop()
  await other.stop()
  const again = await startServerProcess(home.url, onlyNew)
  const ofAgain = keepBuying(again, receiver, 'again')
  await receiver.first(receiver.received.length + 10)
  await Promise.all([ofOne.stop(), ofAgain.stop()])
  await waitUntil('all are notified', () => {
    const told = new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { tx_ref: string }).tx_ref))
    return [ofOne, ofOther, ofAgain].every(({ payments }) => payments.every((txRef) => told.has(txRef)))
  })
  for (const { headers, body } of receiver.received)
    assert.equal(headers['signature'], createHmac('sha256', secret).update(body).digest('hex'))

  assert.equal((await florin(['webhook-secret', 'show'], onlyNew)).out.trim(), secret)
  const check = await florin(['secrets', 'check', '--json'], onlyNew)
  assert.deepEqual(
    new Set(
      (JSON.parse(check.out) as { key: string; state: string }[]).map(({ key, state }) => `${key} ${state}`),
    ),
    new Set([`${idOf(second)} current`]),
  )
  assert.equal(
    (await florin(['secrets', 'rotate'], both)).out,
    `All secrets already use key ${idOf(second)}\n`,
  )
  await isRefused(florin(['serve'], { SECRETS_KEY: first }), /encrypted with the key/)
  await again.stop()
  await one.stop()
  await receiver.close()
})
