import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '../../src/dashboard/ask.ts'
import { allRoutes } from '../support/dashboard/all-routes.ts'
import { routesOf } from '../../src/platform/http/server.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { hasRight, rights, roles, type Role } from '../../src/dashboard/people/rights.ts'
import { hours, makeStillClock } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { fillPath, openThings } from '../support/dashboard/things.ts'
import { goodPassword, newPerson, Visitor, type PersonAt } from '../support/visitor.ts'

// Every route of the dashboard, walked by everybody who could stand before it: each role, an operator, a stranger from
// another merchant, half a session and none. What is expected is read from the route's own line and the table of rights.

const clock = makeStillClock()
let house: House
let target: PersonAt
let things: Readonly<Record<string, string>>
const walkers = new Map<string, Visitor>()

before(async () => {
  // With every page that there can be. Nobody is called: no form here gets that far.
  const settings = { OIDC_ISSUER: 'https://login.invalid', OIDC_CLIENT_ID: 'florin' }
  house = await openHouse({ world: { now: clock.now }, settings })
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  for (const role of roles) await addWalker(role, await newPerson(house, { role }))
  await addWalker('operator', await newPerson(house, { isOperator: true }))
  await addWalker('stranger', await newPerson(house, { role: 'owner', merchantId: elsewhere }))
  target = await newPerson(house, { role: 'viewer' })
  things = await openThings(house, walkers.get('owner') as Visitor)
})
after(() => house.close())

async function addWalker(name: string, person: PersonAt): Promise<void> {
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  await visitor.get('/dashboard/account')
  walkers.set(name, visitor)
}

/** A token stays good for its session: one page is enough for many forms. */
async function goodToken(visitor: Visitor): Promise<string> {
  await visitor.get('/dashboard/account')
  const token = visitor.token()
  assert.ok(token, 'the account page has a form')
  return token
}

function addressOf(route: Route): string {
  const path = fillPath(`/dashboard${route.path}`, { ...things, person: target.id })
  return path.includes('/customers/one') ? `${path}?email=ada%40example.com` : path
}

/** What the door says to a GET; undefined when it lets in. */
function refusalFor(route: Route, who: string): number | undefined {
  if (route.access === 'anyone') return undefined
  if (route.access === 'half') return 303
  if (route.access === 'person') return undefined
  if (route.access === 'operator') return who === 'operator' ? undefined : 404
  const role = roles.find((one) => one === who)
  if (!role) return 404
  return hasRight(role, route.right) ? undefined : 403
}

const name = ({ method, path }: Route): string => `${method} /dashboard${path}`

test('the server has exactly the table’s routes below /dashboard, plus the script', () => {
  const served = routesOf(house.app.server)
    .filter(({ method, url }) => url.startsWith('/dashboard') && method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url}`)
    .filter((one) => !/^GET \/dashboard\/[\w-]{16}\.js$/.test(one))
  assert.deepEqual(served.toSorted(), allRoutes.map(name).toSorted())
})

test('without a session only the signed-out pages open', async () => {
  const stranger = new Visitor(house)
  await stranger.get('/dashboard/sign-in')
  for (const route of allRoutes.filter(({ access }) => access !== 'anyone')) {
    const path = addressOf(route)
    const seen = route.method === 'GET' ? await stranger.get(path) : await stranger.post(path)
    assert.equal(seen.status, 303, name(route))
    const next = route.method === 'GET' ? `?next=${encodeURIComponent(path)}` : ''
    assert.equal(seen.to, `/dashboard/sign-in${next}`, name(route))
  }
})

const foreign: [Record<string, string>, Record<string, string>][] = [
  [{ token: 'A'.repeat(43) }, {}],
  [{}, { origin: 'https://evil.example' }],
  [{}, { origin: 'null' }],
  [{}, { 'sec-fetch-site': 'cross-site' }],
  [{}, { 'sec-fetch-site': 'same-site' }],
]

for (const who of [...roles, 'operator', 'stranger']) {
  test(`${who} can open exactly the allowed pages`, async () => {
    const visitor = walkers.get(who) as Visitor
    const pages = allRoutes.filter(({ method, access }) => method === 'GET' && access !== 'anyone')
    for (const route of pages) {
      const { status, to } = await visitor.get(addressOf(route))
      const refused = refusalFor(route, who)
      if (refused === undefined)
        assert.ok(status === 200 || /^\/dashboard(?:\/|$)/.test(to), `${name(route)}: ${status}`)
      else assert.equal(status, refused, name(route))
    }
  })

  test(`forms that ${who} may not send are refused, even with the right token`, async () => {
    const visitor = walkers.get(who) as Visitor
    const forms = allRoutes.filter(({ method, access }) => method === 'POST' && access !== 'anyone')
    const token = await goodToken(visitor)
    for (const route of forms) {
      const refused = refusalFor(route, who)
      if (refused === undefined) continue
      const seen = await visitor.post(addressOf(route), { token, role: 'owner', email: 'x@example.com' })
      assert.equal(seen.status, refused, name(route))
    }
  })
}

// Between them they may send every form.
for (const who of ['owner', 'operator']) {
  test(`forms that ${who} may send are refused without a token, and from another site`, async () => {
    const visitor = walkers.get(who) as Visitor
    const forms = allRoutes
      .filter(({ method, access }) => method === 'POST' && access !== 'half')
      .filter((route) => refusalFor(route, who) === undefined)
    const token = await goodToken(visitor)
    const another = walkers.get(who === 'owner' ? 'viewer' : 'owner')?.token() ?? ''
    for (const [place, route] of forms.entries()) {
      // One check guards all forms: each is tried without a token, with another's, and in one of the other ways.
      const other = foreign[place % foreign.length]
      assert.ok(other)
      for (const [fields, headers] of [[{ token: '' }, {}], [{ token: another }, {}], other] as const) {
        const seen = await visitor.post(addressOf(route), { token, ...fields }, headers)
        assert.equal(seen.status, 403, `${name(route)} ${JSON.stringify([fields, headers])}`)
        assert.match(seen.text, /Nothing was changed/)
      }
    }
    assert.equal((await visitor.get('/dashboard/account')).status, 200, 'nobody was signed out by it')
  })
}

test('every permission in the table belongs to a role, and an owner has all of them', () => {
  for (const right of Object.keys(rights) as (keyof typeof rights)[])
    assert.ok(hasRight('owner', right), right)
})

test('navigation shows exactly what a role may open', async () => {
  const shown: Record<Role, string[]> = {
    owner: [],
    developer: [],
    support: [],
    bookkeeper: [],
    viewer: [],
  }
  for (const role of roles) {
    const { text } = await (walkers.get(role) as Visitor).get(`/dashboard/${house.merchantId}/test`)
    const nav = /<nav class="side"[^]*?<\/nav>/.exec(text)?.[0] ?? ''
    shown[role] = [...nav.matchAll(/>([^<>]+)<\/a>/g)].map((match) => match[1] ?? '')
  }
  assert.deepEqual(shown.owner, [
    'Home',
    'Payments',
    'Customers',
    'Refunds',
    'Disputes',
    'Payouts',
    'Balance',
    'Bookkeeping',
    'Links',
    'Projects',
    'Keys',
    'Forms',
    'Notifications',
    'Request log',
    'Mailbox',
    'Shop',
    'Networks',
    'Payment settings',
    'Bookkeeping settings',
    'Saved methods',
    'Going live',
    'Team',
    'Audit log',
  ])
  assert.deepEqual(shown.viewer, [
    'Home',
    'Payments',
    'Customers',
    'Refunds',
    'Disputes',
    'Payouts',
    'Balance',
    'Bookkeeping',
    'Links',
    'Projects',
    'Team',
  ])
})

test('a fresh proof is required in all routes of a page or in none', async () => {
  clock.jump(hours)
  const asking = allRoutes.filter(({ isFresh }) => isFresh)
  assert.ok(asking.length > 10)
  for (const route of asking) {
    const walker = walkers.get(route.access === 'operator' ? 'operator' : 'owner') as Visitor
    await walker.get('/dashboard/account')
    const path = addressOf(route)
    const seen = route.method === 'GET' ? await walker.get(path) : await walker.post(path)
    assert.match(seen.to, /^\/dashboard\/prove\?next=/, name(route))
    assert.doesNotMatch(decodeURIComponent(seen.to), /\/do\//, 'a form is not repeated, its page is shown')
  }
})

test('sign-in never redirects to another site', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/docs',
    '/dashboard/../../evil',
  ]) {
    const visitor = new Visitor(house)
    const page = await visitor.get(`/dashboard/sign-in?next=${encodeURIComponent(next)}`)
    assert.doesNotMatch(page.text, /evil/)
    const fields = { email: person.email, password: goodPassword, next }
    const seen = await visitor.post('/dashboard/sign-in', fields)
    assert.deepEqual([seen.status, seen.to], [303, '/dashboard'], next)
  }
})

test('no page may be framed, cached by a proxy, or run a foreign script', async () => {
  const visitor = walkers.get('owner') as Visitor
  for (const path of [
    '/dashboard/sign-in',
    '/dashboard/account',
    `/dashboard/${house.merchantId}/test`,
    '/dashboard/nothing',
  ]) {
    const { headers } = await visitor.get(path)
    if (headers.get('location') !== null) continue
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/,
    )
  }
})

test('a body that is no form is refused with a readable message', async () => {
  const visitor = new Visitor(house)
  await visitor.get('/dashboard/sign-in')
  const seen = await visitor.post('/dashboard/sign-in', {}, { 'content-type': 'application/json' })
  assert.equal(seen.status, 415)
  assert.match(seen.text, /<h1>That didn/)
})
