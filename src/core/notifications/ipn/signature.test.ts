import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { drawSecret, isSigned, signatureHeaders } from './signature.ts'

const secret = drawSecret()
const now = new Date('2026-11-15T12:00:00Z')
const id = 'evt_1'
const body = '{"event":"payment.success"}'

function arrived(changes: Record<string, string | undefined> = {}, at = now, text = body) {
  const headers = { ...signatureHeaders({ id, body, at: now }, [secret]), ...changes }
  return { headers, body: Buffer.from(text), now: at }
}

/** Signed well, whatever the time is said to be. */
function signedAt(timestamp: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const proof = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return arrived({ 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${proof}` })
}

test('a notification verifies with each valid secret and no other', () => {
  assert.ok(isSigned(arrived(), [secret]))
  assert.ok(isSigned(arrived(), [drawSecret(), secret]))
  assert.ok(!isSigned(arrived(), [drawSecret()]))
  assert.ok(!isSigned(arrived(), []))
  assert.ok(!isSigned(arrived({}, now, `${body} `), [secret]))
  assert.ok(!isSigned(arrived({ 'webhook-id': 'evt_2' }), [secret]))
})

test('a notification without id, timestamp or signature is refused', () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    assert.ok(!isSigned(arrived({ [name]: undefined }), [secret]), name)
  }
})

test('a timestamp may be five minutes off either way, and an invalid one is refused', () => {
  const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
  for (const seconds of [-300, 0, 300]) assert.ok(isSigned(arrived({}, later(seconds)), [secret]))
  for (const seconds of [-301, 301]) assert.ok(!isSigned(arrived({}, later(seconds)), [secret]))
  const right = String(now.getTime() / 1000)
  assert.ok(isSigned(signedAt(right), [secret]))
  for (const odd of ['', 'now', `${right}.0`, `+${right}`, `0x${Number(right).toString(16)}`, ` ${right}`])
    assert.ok(!isSigned(signedAt(odd), [secret]), odd)
})

test('one of the first ten signatures must be right', () => {
  const right = signatureHeaders({ id, body, at: now }, [secret])['webhook-signature'] ?? ''
  const among = (before: number) =>
    arrived({ 'webhook-signature': [...Array<string>(before).fill('v1,AAAA'), right].join(' ') })
  assert.ok(isSigned(among(9), [secret]))
  assert.ok(!isSigned(among(10), [secret]))
})
