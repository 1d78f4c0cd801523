import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { actionsOf, goodPassword, newPerson, type PersonAt } from '../support/visitor.ts'

// The dashboard in a real browser: passkeys with an authenticator that the browser plays, and without a script.

let house: House
let browser: TestBrowser
const phone = { width: 320, height: 640 }

before(async () => {
  const port = String(await freePort())
  // Passkeys are made for names, not for addresses of numbers. With a mail server people are invited by mail.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', ALLOW_UNSAFE_DATABASE: 'on' }
  const address = { PORT: port, BASE_URL: `http://localhost:${port}` }
  house = await openHouse({ settings: { ...address, ...mail, SIGN_UP: 'on' } })
  await newPerson(house, { isOperator: true })
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})

const at = (path: string): string => `${house.url.replace('127.0.0.1', 'localhost')}${path}`

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => assert.fail(error))
  return page
}

async function signIn(page: Page, person: PersonAt): Promise<void> {
  await page.goto(at('/dashboard/sign-in'))
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/(test|live)$/)
}

/** As a phone or computer with a finger on it. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, signs in alone, proves, and allows removing the password', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const page = await open()
  await addAuthenticator(page.context(), page)
  await signIn(page, person)
  await page.goto(at('/dashboard/account/passkeys'))
  await page.getByLabel('Name').fill('My key')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device already has one of your passkeys.').waitFor()

  await page.goto(at('/dashboard/account/password'))
  await page.getByRole('button', { name: 'Remove password' }).click()
  await page.getByText('Sign in with a passkey from now on.').waitFor()
  await signOut(page)

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/(test|live)$/)
  await page.goto(at('/dashboard/prove?next=/dashboard/account/name'))
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/dashboard/account/name')
  await page.goto(at('/dashboard/account/passkeys'))
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('This is your only way to sign in').first().waitFor()
  const actions = await actionsOf(house)
  assert.ok(actions.includes('person.passkey_added') && actions.includes('person.password_changed'))
  const signIns = await house.db.query(sql`
    select id from audit_log where subject = ${person.id} and action = 'person.signed_in'`)
  assert.equal(signIns.length, 2, 'by password, by passkey')
  await page.context().close()
})

async function signOut(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You’re signed out.').waitFor()
}

test('a passkey signature counts once, for its purpose and its person', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const page = await open()
  await addAuthenticator(page.context(), page)
  await signIn(page, person)
  await page.goto(at('/dashboard/account/passkeys'))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  await signOut(page)
  let signed = ''
  await page.route('**/dashboard/sign-in/passkey', async (route) => {
    signed = new URLSearchParams(route.request().postData() ?? '').get('answer') ?? ''
    await route.continue()
  })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/(test|live)$/)
  assert.ok(signed.length > 100)
  // The same answer again, by somebody who saw it go by; and as a proof.
  const replay = await open()
  await replay.goto(at('/dashboard/sign-in'))
  assert.match(await send(replay, 'sign-in/passkey', signed), /recognise this passkey/)
  await page.goto(at('/dashboard/prove'))
  assert.match(await send(page, 'prove/passkey', signed), /This passkey isn(’|&#8217;)t on your account/)
  for (const odd of [
    '',
    '{}',
    'null',
    '[]',
    '{"id":1}',
    signed.replace(/"signature":"[^"]{8}/, '"signature":"AAAAAAAA'),
  ])
    assert.match(await send(replay, 'sign-in/passkey', odd), /recognise this passkey/, odd.slice(0, 20))
  await page.context().close()
  await replay.context().close()
})

async function send(page: Page, path: string, answer: string): Promise<string> {
  return page.evaluate(
    async ([to, text]) => {
      type Dom = { document: { querySelector(selector: string): { value: string } | null } }
      const { document } = globalThis as unknown as Dom
      const token = document.querySelector('[name=token]')?.value ?? ''
      const body = new URLSearchParams({ token, answer: text })
      return (await fetch(to, { method: 'POST', body })).text()
    },
    [at(`/dashboard/${path}`), answer] as const,
  )
}

test('everything but passkeys works without a script, and mistakes keep the input', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const page = await open({ javaScriptEnabled: false, viewport: phone })
  await page.goto(at('/dashboard/sign-in'))
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong e-mail address or password.').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/live$/)
  await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click()
  await page.getByText('Test mode: no money moves.').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Team' }).click()
  await page.waitForURL(/\/test\/team$/)
  await page.getByRole('link', { name: 'Invite someone' }).click()
  await page.getByLabel('E-mail address').fill('not an address')
  await page.locator('fieldset').getByText('Support', { exact: true }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Enter an e-mail address such as').first().waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'not an address')
  assert.equal(await page.getByLabel('Support').isChecked(), true)
  await page.getByLabel('E-mail address').fill('new@example.com')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Invitation sent.').waitFor()
  await page.reload()
  assert.equal(await page.getByText('Invitation sent.').count(), 0, 'a notice is said once')
  await page.context().close()
})
