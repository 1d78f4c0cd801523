import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { House } from '../test/support/house.ts'
import { anyRequest, openHostileHouse, sendHostile } from './hostile-requests.ts'

// Whatever comes, the answer is the envelope, and never a 5xx. `FUZZ_RUNS=50000 npm test -- faults/fuzz.test.ts` sends more.

const seed = Number(process.env['FUZZ_SEED'] ?? 20261115)
// For each request: a busy machine takes a tenth of it, and a hang is found.
const timeoutMs = 5_000

export function testHostile(usual: number): void {
  const numRuns = Number(process.env['FUZZ_RUNS'] ?? usual)
  let house: House
  before(async () => {
    house = await openHostileHouse()
  })
  after(() => house.close())

  test(
    'no request generated from our OpenAPI document gets a 5xx, or anything but the envelope',
    { timeout: numRuns * timeoutMs },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, async (sent) => {
          const answer = await sendHostile(house, sent)
          if (answer === 'refused by the client' || answer.status === 303) return
          assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
          assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
          const file = sent.operation.answers.find(({ status }) => status === answer.status)?.file
          const type = answer.headers.get('content-type') ?? ''
          if (file !== undefined) return assert.ok(type.startsWith(file), type)
          assert.equal(type, 'application/json; charset=utf-8')
          assert.equal(answer.json.status, answer.status < 300 ? 'success' : 'failed')
          assert.equal(typeof answer.json.message, 'string')
          if (answer.status >= 400)
            assert.deepEqual([answer.json.data, typeof answer.json.code], [null, 'string'])
        }),
        { numRuns, seed },
      )
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
    },
  )
}
