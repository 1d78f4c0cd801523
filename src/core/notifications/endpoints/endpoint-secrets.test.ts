import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  moment,
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { bySystem } from '../../audit/audit.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { makeOpenStored } from '../ipn/stored-secret.ts'
import { drawEndpointId, insertInFreeSlot } from './change-endpoints.ts'
import { drawEndpointSecret, rollEndpointSecret, validEndpointSecrets } from './endpoint-secrets.ts'
import type { NamedEndpoint } from './find-endpoints.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const hour = 3_600
const open = makeOpenStored(testSecrets)

/** An endpoint and its first secret. */
async function newEndpoint(): Promise<NamedEndpoint & { readonly secret: string }> {
  const named = { merchantId: own, mode: 'test', id: drawEndpointId() } as const
  return inTransaction(rows.db, async (tx) => {
    const endpoint = {
      ...named,
      url: `https://${named.id}.example`,
      description: '',
      events: null,
      listensUntil: null,
    }
    await insertInFreeSlot(tx, endpoint, { first: 1, last: 10 })
    return { ...named, secret: await drawEndpointSecret(testSecrets, tx, named) }
  })
}

const roll = async (of: NamedEndpoint, hours: number, seconds = 0): Promise<string> =>
  rollEndpointSecret({ db: rows.db, secrets: testSecrets }, of, hours, bySystem, new Date(moment(seconds)))

async function signingAt(of: NamedEndpoint, seconds: number): Promise<Set<string>> {
  const { merchantId, mode, id: endpointId } = of
  const valid = await validEndpointSecrets(rows.db, of, new Date(moment(seconds)))
  return new Set(valid.map(({ stored }) => open({ merchantId, mode, endpointId }, stored)))
}

for (const hours of [0, 1, 72])
  test(`a secret that was rolled with ${hours} hours of overlap signs for exactly as long`, async () => {
    const endpoint = await newEndpoint()
    const fresh = await roll(endpoint, hours)
    assert.deepEqual(await signingAt(endpoint, hours * hour - 1), new Set([fresh, endpoint.secret]))
    assert.deepEqual(await signingAt(endpoint, hours * hour), new Set([fresh]))
  })

test('rolling again during an overlap neither prolongs nor shortens it', async () => {
  const endpoint = await newEndpoint()
  const second = await roll(endpoint, 24)
  const third = await roll(endpoint, 72, hour)
  assert.deepEqual(await signingAt(endpoint, 24 * hour - 1), new Set([third, second, endpoint.secret]))
  assert.deepEqual(await signingAt(endpoint, 24 * hour), new Set([third, second]))
  const fourth = await roll(endpoint, 0, 25 * hour)
  assert.deepEqual(await signingAt(endpoint, 73 * hour - 1), new Set([fourth, second]), 'the third has ended')
  assert.deepEqual(await signingAt(endpoint, 73 * hour), new Set([fourth]))
})

test('rolling one endpoint’s secret leaves another’s alone', async () => {
  const [one, other] = [await newEndpoint(), await newEndpoint()]
  await roll(one, 0)
  assert.deepEqual(await signingAt(other, 100 * hour), new Set([other.secret]))
})

for (const hours of [-1, 72.1, 73, Number.NaN])
  test(`an overlap of ${hours} hours is refused`, async () => {
    await assert.rejects(roll(await newEndpoint(), hours), {
      errors: { overlap_hours: ['overlap_hours must be 0 to 72'] },
    })
  })
