import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours, makeStillClock } from '../support/clock.ts'
import { newLink, putInState, type Link } from '../support/customer.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'

// A receipt of more than 180 days asks for the e-mail address before it shows a name. No cookie, no script.

let aheadMs = 0
const { now } = makeStillClock()
let house: House
before(async () => {
  house = await openHouse({ world: { now: () => new Date(now().getTime() + aheadMs) } })
})
after(() => house.close())

const email = 'Ada.Lovelace@example.com'
const day = 24 * hours

async function oldReceipt(state: 'success' | 'refunded' | 'reversed' = 'success'): Promise<Link> {
  const link = await newLink(house, {
    email,
    first_name: 'Ada',
    last_name: 'Lovelace',
    customization: { title: 'Cap' },
  })
  await putInState(house, link, state, { state: 'succeeded' })
  aheadMs = 181 * day
  return link
}

async function answer(link: Link, typed: string, headers: Record<string, string> = {}): Promise<Answer> {
  const page = await call(link.url)
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return call(`${link.url}/receipt`, {
    method: 'POST',
    body: new URLSearchParams({ token, email: typed }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

// Nobody, no card, no thing, no sum.
const personal = /Lovelace|Ada|4242|Cap<|&#163;/

test('a receipt is open for 180 days, then page and PDF ask for the e-mail address first', async () => {
  for (const state of ['success', 'refunded', 'reversed'] as const) {
    const link = await newLink(house, { email, first_name: 'Ada', last_name: 'Lovelace' })
    await putInState(house, link, state, { state: 'succeeded' })
    aheadMs = 179 * day
    assert.match((await call(link.url)).text, /Ada Lovelace/)
    assert.equal((await call(`${link.url}/receipt.pdf`)).headers.get('content-type'), 'application/pdf')

    aheadMs = 181 * day
    const page = await call(link.url)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, personal)
    assert.match(page.text, /Your receipt/)
    const pdf = await call(`${link.url}/receipt.pdf`)
    assert.deepEqual([pdf.status, pdf.headers.get('location')], [303, `/payment/${link.digits}`])
  }
})

test('the right address in any case opens the page, its PDF and its other languages', async () => {
  const link = await oldReceipt()
  const opened = await answer(link, ' ada.lovelace@EXAMPLE.com ')
  assert.equal(opened.status, 303)
  assert.equal(opened.headers.get('set-cookie'), null)
  const address = opened.headers.get('location') ?? ''
  assert.match(address, new RegExp(`^/payment/${link.digits}/receipt/[\\w.-]+$`))
  const page = await call(house.url + address)
  assert.match(page.text, /Ada Lovelace/)
  const pdf = /href="([^"]+receipt\.pdf[^"]*)"/.exec(page.text)?.[1] ?? ''
  assert.equal((await call(house.url + pdf)).headers.get('content-type'), 'application/pdf')
  assert.ok(page.text.includes(`${address}?lang=fr`))
  assert.match((await call(`${house.url}${address}?lang=fr`)).text, /Ada Lovelace/)
})

test('an opened receipt stays open for half an hour, and its proof is valid for it alone', async () => {
  const [link, other] = [await oldReceipt(), await oldReceipt()]
  const address = (await answer(link, email)).headers.get('location') ?? ''
  const proof = address.split('/').at(-1) ?? ''
  const later = `zzzzzzzz.${proof.split('.')[1]}`
  for (const [digits, tried] of [
    [other.digits, proof],
    [link.digits, `${proof}x`],
    [link.digits, later],
    [link.digits, '.'],
  ] as const) {
    const refused = await call(`${house.url}/payment/${digits}/receipt/${tried}`)
    assert.deepEqual([refused.status, refused.headers.get('location')], [303, `/payment/${digits}`], tried)
  }
  aheadMs += 0.4 * hours
  assert.equal((await call(house.url + address)).status, 200)
  aheadMs += 0.2 * hours
  assert.equal((await call(house.url + address)).status, 303)
})

test('a wrong address learns nothing, an empty one is asked for, and another site can’t try', async () => {
  const link = await oldReceipt()
  const wrong = await answer(link, 'eve@example.com')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /not the e-mail address used for this payment/)
  assert.doesNotMatch(wrong.text, personal)
  assert.doesNotMatch(wrong.text, /eve@/)
  assert.match((await answer(link, ' ')).text, /Enter your e-mail address/)
  assert.equal((await answer(link, email, { origin: 'https://evil.example' })).status, 403)
})

test('guessing addresses is rate limited, and then a right one looks like a wrong one', async () => {
  const link = await oldReceipt()
  const statuses: number[] = []
  for (let count = 0; count < 11; count += 1)
    statuses.push((await answer(link, `a${count}@example.com`)).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(400), 429])
  const right = await answer(link, email)
  assert.equal(right.status, 429)
  assert.match(right.headers.get('retry-after') ?? '', /^\d+$/)
  aheadMs += 0.2 * hours
  assert.equal((await answer(link, email)).status, 303)
})

test('payments without a receipt don’t ask for an address', async () => {
  const link = await newLink(house)
  assert.equal((await call(`${link.url}/receipt.pdf`)).status, 404)
  const posted = await answer(link, email)
  assert.deepEqual([posted.status, posted.headers.get('location')], [303, `/payment/${link.digits}`])
})
