import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { takePicture } from '../support/customer.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { crowdAtDoor } from '../support/crowd-at-door.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'
import { goodPassword, newPerson, Visitor, type Door } from '../support/visitor.ts'

// Many sign in at once, and whoever is honest gets in.

let house: House
let browser: TestBrowser
let named: Door

before(async () => {
  const port = String(await freePort())
  house = await openHouse({ settings: { PORT: port, BASE_URL: `http://localhost:${port}` } })
  named = { ...house, url: house.url.replace('127.0.0.1', 'localhost') }
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

test('the script brings a proof of work past a crowd', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => assert.fail(error))
  await page.goto(`${named.url}/dashboard/sign-in`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  const crowd = await crowdAtDoor()
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/sign-in'))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const fields = new URLSearchParams((await sent).postData() ?? '')
  assert.match(fields.get('nonce') ?? '', /^\d+$/)
  await crowd.letIn()
  await page.waitForURL(/\/(test|live)$/)
  await page.context().close()
})

test('without a script a newcomer is asked to wait, and a known browser gets in', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const desk = new Visitor(house)
  await desk.signIn(person)
  const device = [...desk.cookies].find(([name]) => name.endsWith('-device'))
  const known = new Visitor(house)
  known.cookies.set(...(device ?? assert.fail()))
  const crowd = await crowdAtDoor()
  const refused = await new Visitor(house).signIn(person)
  assert.equal(refused.status, 503)
  assert.match(refused.text, /Too many people are signing in right now/)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const coming = known.signIn(person)
  await crowd.letIn()
  assert.equal((await coming).status, 303)
})

for (const look of ['light', 'dark'] as const)
  test(`the sign-in page looks right when too many sign in, ${look}`, async () => {
    const crowd = await crowdAtDoor()
    const viewport = look === 'light' ? { width: 1280, height: 800 } : { width: 390, height: 780 }
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: look, viewport })
    const page = await context.newPage()
    await page.goto(`${named.url}/dashboard/sign-in`)
    await takePicture(page, `sign-in-${look}`)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Too many people are signing in').waitFor()
    await takePicture(page, `sign-in-busy-${look}`)
    await crowd.letIn()
    await context.close()
  })

test('sign-ins with passkeys are limited per address, and known browsers are counted apart', async () => {
  const desk = new Visitor(named)
  await desk.signIn(await newPerson(house, { role: 'owner' }))
  const [name, value] = [...desk.cookies].find(([key]) => key.endsWith('-device')) ?? assert.fail()
  const begin = async (visitor: Visitor): Promise<number> =>
    (await visitor.fill('/dashboard/sign-in', {}, '/dashboard/sign-in/passkey-options')).status
  const stranger = new Visitor(named)
  const seen: number[] = []
  while (seen.length < 200 && seen.at(-1) !== 429) seen.push(await begin(stranger))
  assert.equal(seen.at(-1), 429)
  assert.ok(seen.length > 30)
  const known = new Visitor(named)
  known.cookies.set(name, value)
  assert.equal(await begin(known), 200)
})
