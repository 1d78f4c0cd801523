import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as certificate from '../../../test/support/certificate.ts'
import { answerWith, openReceiver } from '../../../test/support/receiver.ts'
import { causeOf } from './failure-of.ts'
import { makeOutbound } from './outbound.ts'

test('a failed call logs what OpenSSL or the socket reported', async () => {
  const secure = await openReceiver(answerWith(200), certificate)
  const outbound = makeOutbound({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  const call = { headers: {}, body: '', scope: 'local' as const }
  const unknown = await outbound.post({ ...call, url: `https://shop.test:${new URL(secure.url).port}/` })
  await secure.close()
  const refused = await outbound.post({ ...call, url: secure.url.replace('https:', 'http:') })
  await outbound.close()
  assert.ok(unknown.status === undefined && refused.status === undefined)
  assert.match(unknown.cause ?? '', /^DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate/)
  assert.match(refused.cause ?? '', /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
})

test('a cause is one short line, even for several errors or none', () => {
  const code = 'ENOTFOUND'
  assert.equal(causeOf(Object.assign(new Error('no\nsuch name'), { code })), 'ENOTFOUND: no such name')
  assert.equal(causeOf(new AggregateError([new Error('first'), new Error('second')])), 'first')
  assert.equal(causeOf(new Error('x'.repeat(1_000)))?.length, 200)
  assert.equal(causeOf(undefined), undefined)
})
