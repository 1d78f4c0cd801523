import assert from 'node:assert/strict'
import { call, type House } from './house.ts'
import { signedIn } from './visitor.ts'

/** Presses the button that makes the test network pay out; returns the id of the newest payout. */
export async function payOut(house: House): Promise<string> {
  const page = `/dashboard/${house.merchantId}/test/payouts`
  const owner = await signedIn(house, { role: 'owner' })
  await owner.fill(page, {}, `${page}/do/check`)
  return (await newestPayout(house)) ?? assert.fail('nothing was paid out')
}

export async function newestPayout({ url, secretKey: key }: House): Promise<string | undefined> {
  const { data } = (await call(`${url}/api/payouts?limit=1`, { key })).json as { data: { id: string }[] }
  return data[0]?.id
}
