import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  moment,
  neighbour,
  openNotificationRows,
  own,
  secret,
  type NotificationRows,
  type StoredSecret,
} from '../../../../test/support/notification-rows.ts'
import { findMerchantsWithPlainSecrets, findMerchantsWithSecretsNotUnder } from './secret-look-store.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const version = '01'
const keyId = '0102030405060708'
const otherKeyId = '0102030405060709'

function sealedUnder(key: string): { sealed: Buffer } {
  return { sealed: Buffer.from(`${version}${key}ffff`, 'hex') }
}

test('merchants with a plain-text secret are found once each, in order and after the last one', async () => {
  const find = async (behind: number): Promise<number[]> => findMerchantsWithPlainSecrets(rows.db, behind)
  const plainOf = (merchant_id: number): StoredSecret[] => [
    secret({ id: 'current', merchant_id }),
    secret({ id: 'ended', merchant_id, ends_at: moment(0) }),
  ]
  await rows.replace({ secrets: [...plainOf(neighbour), ...plainOf(own)] })
  assert.deepEqual(await find(0), [own, neighbour])
  assert.deepEqual(await find(own), [neighbour])
  assert.deepEqual(await find(neighbour), [])
  const sealed = secret({ id: 'current', merchant_id: neighbour, ...sealedUnder(keyId) })
  await rows.replace({ secrets: [...plainOf(own), sealed] })
  assert.deepEqual(await find(0), [own])
})

test('merchants with a secret not sealed under this key are found, including plain ones', async () => {
  const find = async (behind: number): Promise<number[]> =>
    findMerchantsWithSecretsNotUnder(rows.db, behind, keyId)
  const under = secret({ id: 'under', merchant_id: own, ...sealedUnder(keyId) })
  for (const not of [{}, sealedUnder(otherKeyId)]) {
    await rows.replace({ secrets: [under, secret({ id: 'not', merchant_id: neighbour, ...not })] })
    assert.deepEqual(await find(0), [neighbour])
    assert.deepEqual(await find(own), [neighbour])
    assert.deepEqual(await find(neighbour), [])
  }
})
