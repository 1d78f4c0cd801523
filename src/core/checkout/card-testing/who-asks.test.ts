import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digits, key, scriptCheckout } from '../../../../test/support/scripted-checkout.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Checkout } from '../checkout.ts'
import type { CheckoutRequest } from '../open-payment.ts'
import { warnOfProxy, whoAsks, type WhoAsks } from './who-asks.ts'

const address = '192.0.2.7'
const until = new Date('2026-11-15T14:06:20Z')

type Post = {
  readonly authorization?: string
  readonly form?: Readonly<Record<string, string>>
  /** What became of looking up the key, and of checking the proof. */
  readonly caller?: unknown
  readonly checked?: unknown
}

async function asks(post: Post): Promise<WhoAsks & { readonly checks: readonly unknown[] }> {
  const checks: unknown[] = []
  const { checkout } = scriptCheckout({
    checkout: {
      authenticator: {
        secretKey: async () => {
          if (post.caller instanceof Error) throw post.caller
          return post.caller
        },
      },
      cardTesting: {
        proofs: {
          check: async (...question: unknown[]) => {
            checks.push(question)
            return post.checked
          },
        },
      },
    } as unknown as Partial<Checkout>,
  })
  const request = {
    ip: address,
    params: { digits },
    headers: post.authorization === undefined ? {} : { authorization: post.authorization },
    body: new Map(Object.entries(post.form ?? {})),
  } as unknown as CheckoutRequest
  return { ...(await whoAsks(checkout, request, key)), checks }
}

test('declines count against the sender’s address, unless the merchant’s own test key is sent', async () => {
  const counted = { asker: { address }, pause: undefined, checks: [] }
  const authorization = 'Bearer key'
  const callerOf = (mode: string, id: number) => ({ mode, merchant: { id } })
  assert.deepEqual(await asks({ authorization, caller: callerOf('test', key.merchantId) }), {
    asker: undefined,
    pause: undefined,
    checks: [],
  })
  for (const post of [
    {},
    { caller: callerOf('test', key.merchantId) },
    { authorization, caller: callerOf('live', key.merchantId) },
    { authorization, caller: callerOf('test', key.merchantId + 1) },
    { authorization, caller: new Refusal('unauthorized') },
  ])
    assert.deepEqual(await asks(post), counted, JSON.stringify(post))
  await assert.rejects(asks({ authorization, caller: new Error('no database') }), /no database/)
})

test('a proof counts only for its own attempt, and a page that is too young keeps its age', async () => {
  const form = { proof: 'page-1', nonce: '77' }
  const checks = [[digits, 'page-1', '77']]
  assert.deepEqual(await asks({ form, checked: { kind: 'proven', attempt: 3 } }), {
    asker: { address, provenFor: 3 },
    pause: undefined,
    checks,
  })
  assert.deepEqual(await asks({ form, checked: { kind: 'too_early', until } }), {
    asker: { address },
    pause: { token: 'page-1', until },
    checks,
  })
  assert.deepEqual(await asks({ form, checked: { kind: 'unknown' } }), {
    asker: { address },
    pause: undefined,
    checks,
  })
  const plain = await asks({ form: { proof: 'page-1' }, checked: { kind: 'unknown' } })
  assert.deepEqual(plain.checks, [[digits, 'page-1', '']])
})

test('the operator hears only of an untrusted proxy', () => {
  const warned = (headers: Readonly<Record<string, string>>, ips?: readonly string[]): unknown[] => {
    const lines: unknown[] = []
    const log = { warn: (fields: unknown) => void lines.push(fields) }
    warnOfProxy({ id: 'req_1', headers, ips, log } as unknown as CheckoutRequest)
    return lines
  }
  const forwarded = { 'x-forwarded-for': '198.51.100.4' }
  assert.deepEqual(warned(forwarded), [{ request_id: 'req_1' }])
  assert.deepEqual(warned({}), [])
  assert.deepEqual(warned(forwarded, [address, '198.51.100.4']), [])
  assert.deepEqual(warned({}, [address]), [])
})
