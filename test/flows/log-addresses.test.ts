import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, openHouse } from '../support/house.ts'

const ofCustomers = ['GET /payment/1', 'GET /link/1', 'POST /ext_transfer', 'GET /nothing-here']
const ofOthers = ['GET /api/transaction/1', 'GET /dashboard', 'POST /callbacks/stripe/1']

async function logged(settings: Record<string, string>): Promise<(string | undefined)[]> {
  const house = await openHouse({ settings: { TRUSTED_PROXIES: '127.0.0.1', ...settings } })
  try {
    for (const [method = '', path = ''] of [...ofCustomers, ...ofOthers].map((line) => line.split(' ')))
      await call(`${house.url}${path}`, { method, headers: { 'x-forwarded-for': '203.0.113.7' } })
  } finally {
    await house.close()
  }
  const lines = house.log().trimEnd().split('\n')
  return lines.flatMap((line) => (JSON.parse(line) as { address?: string }).address ?? [])
}

test('the log has a part of a customer’s address, and the whole one of programs and people who sign in', async () => {
  const expected = [...ofCustomers.map(() => '203.0.113.0/24'), ...ofOthers.map(() => '203.0.113.7')]
  assert.deepEqual(await logged({}), expected)
})

test('an operator can have whole addresses in the log', async () => {
  assert.deepEqual(new Set(await logged({ LOG_ADDRESSES: 'whole' })), new Set(['203.0.113.7']))
})
