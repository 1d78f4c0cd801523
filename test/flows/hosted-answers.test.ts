import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeclineReason } from '../../src/core/networks/connector.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { asRead } from '../support/as-read.ts'
import { newLink, type Link } from '../support/customer.ts'
import { liveAccount } from '../support/hosted-choice.ts'
import { openHostedHouse, type HostedHouse } from '../support/hosted-house.ts'
import { call } from '../support/house.ts'

// What the customer reads after a network's own page: while it has said nothing yet, and after it has said no.

let house: HostedHouse
before(async () => {
  house = await openHostedHouse()
  house.accounts.push(liveAccount('Stand-in'))
})
after(() => house.close())

async function chosen(): Promise<Link> {
  const link = await newLink(house, {}, house.liveKey)
  const { token } = (await call(`${link.url}/state`)).json as unknown as { token: string }
  await call(`${link.url}/choose`, {
    method: 'POST',
    body: new URLSearchParams({ token, account: 'acc_Stand-in', method: 'card' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return link
}

async function readAfter(reason: DeclineReason, state: 'declined' | 'abandoned'): Promise<string> {
  const link = await chosen()
  await house.db.query(sql`
    update attempts set state = ${state}, decline_reason = ${reason}, next_check_at = null
    where merchant_id = ${house.merchantId} and number = ${link.digits.slice(8)}`)
  return asRead((await call(link.url)).text)
}

test('each decline by a network has its own message, which mentions no card that wasn’t typed here', async () => {
  const said: readonly [DeclineReason, 'declined' | 'abandoned', string][] = [
    ['declined', 'declined', 'The payment was declined.'],
    ['insufficient_funds', 'declined', 'there is not enough money in the account.'],
    ['challenge_abandoned', 'abandoned', 'You left the payment page before paying.'],
    ['processing_error', 'abandoned', 'We couldn’t open the payment page.'],
    ['processing_error', 'declined', 'Your bank could not process the payment.'],
  ]
  for (const [reason, state, words] of said) {
    const page = await readAfter(reason, state)
    assert.ok(page.includes('No money has been taken.'), reason)
    assert.ok(page.includes('Try again, or choose another way to pay.'), reason)
    assert.ok(page.includes(words), `${reason} ${state}`)
    assert.doesNotMatch(page, /Your card was declined|another card/, reason)
  }
})

test('reopening the payment allows another choice, and returning from the network waits for its answer', async () => {
  const { url } = await chosen()
  const again = (await call(url)).text
  assert.match(again, /action="[^"]*\/choose/)
  assert.match(again, /value="acc_Stand-in"/)
  const back = (await call(`${url}?returned=1`)).text
  assert.doesNotMatch(back, /action="[^"]*\/choose/)
})
