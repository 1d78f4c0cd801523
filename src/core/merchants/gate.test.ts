import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/errors/refusals.ts'
import { makeLog } from '../../platform/http/log.ts'
import { makeMetrics } from '../../platform/http/metrics.ts'
import { makeNoteAnswer, type KnownCaller } from '../../platform/http/note-answer.ts'
import { makeRateLimit } from '../../platform/http/rate-limit.ts'
import type { Authenticated, Authenticator, Caller } from './authenticate.ts'
import { makeApiGate, makeSecretGate, type Gate } from './gate.ts'

// The gate of the secret keys and that of the API keys, with keys that are at hand, have to be looked up, or are wrong.

const merchant = { id: 12_345_678 } as Authenticated['merchant']
const till = { keyId: 'key_till', mode: 'test', merchant } as Caller
const projects = { keyId: 'key_projects', mode: undefined, merchant } as Authenticated
const wrong = new Refusal('unauthorized', 'Invalid key')

/** A key is its header: `known …` is remembered, `new …` has to be looked up, and any other is wrong. */
function keysOf(asked: string[]): Authenticator {
  const read = <Who>(name: string, who: Who) => ({
    recall(header: string | undefined): Who | undefined {
      asked.push(`recall ${name}`)
      if (header === undefined) throw wrong
      return header.startsWith('known') ? who : undefined
    },
    async find(header: string | undefined): Promise<Who> {
      asked.push(`find ${name}`)
      if (header?.startsWith('new')) return who
      throw wrong
    },
  })
  const [secret, api] = [read('secret', till), read('api', projects)]
  return {
    secretKey: async (header) => secret.find(header),
    apiKey: async (header) => api.find(header),
    recallSecretKey: (header) => secret.recall(header),
    recallApiKey: (header) => api.recall(header),
    anyKey: async (header) => api.find(header),
    formKey: async () => assert.fail('no form'),
    refused: (error, request) => new Error(`refused at ${request.url}`, { cause: error }),
    flush: async () => assert.fail('nothing to write'),
  }
}

function requestWith(authorization: string | undefined): FastifyRequest {
  return { url: '/api', id: 'req_1', method: 'GET', headers: { authorization } } as FastifyRequest
}

function makeReply(headers: Record<string, unknown> = {}): FastifyReply {
  const reply = {
    statusCode: 200,
    elapsedTime: 1,
    header: (name: string, value: unknown) => {
      headers[name] = value
      return reply
    },
  }
  return reply as unknown as FastifyReply
}

type Passed = { readonly error: unknown; readonly isAtOnce: boolean; readonly headers: object }

async function pass(gate: Gate<Authenticated>, request: FastifyRequest): Promise<Passed> {
  const headers = {}
  let isAtOnce = true
  const passing = new Promise<Passed>((resolve) =>
    gate.check(request, makeReply(headers), (error) => resolve({ error, isAtOnce, headers })),
  )
  isAtOnce = false
  return passing
}

/** Who the logs say it was. */
function notedAs(request: FastifyRequest): KnownCaller | undefined {
  let noted: KnownCaller | undefined
  const onAnswer = (_request: unknown, _reply: unknown, caller: KnownCaller): void => {
    noted = caller
  }
  makeNoteAnswer({ log: makeLog('silent'), metrics: makeMetrics(), onAnswer }, '/api')(
    request,
    makeReply(),
    () => {},
  )
  return noted
}

const gates = [
  ['secret', makeSecretGate, till],
  ['api', makeApiGate, projects],
] as const

test('a cached key passes at once, a new one after a look-up, and both are recorded and counted', async () => {
  for (const [name, make, who] of gates) {
    const asked: string[] = []
    const gate = make(
      keysOf(asked),
      makeRateLimit({ perSecond: 1, burst: 2 }, () => 0),
    )
    for (const [header, isAtOnce, left] of [
      ['known', true, '"requests";r=1;t=1'],
      ['new', false, '"requests";r=0;t=2'],
    ] as const) {
      const request = requestWith(header)
      const headers = { 'ratelimit-policy': '"requests";q=2;w=2', ratelimit: left }
      assert.deepEqual(await pass(gate, request), { error: undefined, isAtOnce, headers })
      assert.equal(gate.callerOf(request), who)
      assert.deepEqual(notedAs(request), { keyId: who.keyId, merchantId: 12_345_678, mode: who.mode })
    }
    assert.deepEqual(asked, [`recall ${name}`, `recall ${name}`, `find ${name}`])
  }
})

test('a missing key, a wrong key and an exhausted limit are refused', async () => {
  for (const [, make] of gates) {
    const gate = make(
      keysOf([]),
      makeRateLimit({ perSecond: 1, burst: 1 }, () => 0),
    )
    for (const header of [undefined, 'wrong']) {
      const request = requestWith(header)
      const { error } = await pass(gate, request)
      assert.deepEqual([String(error), (error as Error).cause], ['Error: refused at /api', wrong])
      assert.throws(() => gate.callerOf(request), /A route asks who calls it, and has no gate/)
      assert.equal(notedAs(request), undefined)
    }
    assert.equal((await pass(gate, requestWith('known'))).error, undefined)
    for (const header of ['known', 'new']) {
      const request = requestWith(header)
      const { error } = await pass(gate, request)
      assert.equal(((error as Error).cause as Refusal).code, 'rate_limited')
      assert.throws(() => gate.callerOf(request), /has no gate/)
      assert.notEqual(notedAs(request), undefined, 'whose request it was is known')
    }
  }
})
