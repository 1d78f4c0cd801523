import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routesOf } from '../src/platform/http/server.ts'
import { allOperations } from '../src/app/operations.ts'
import { newLink } from '../test/support/customer.ts'
import { allRoutes } from '../test/support/dashboard/all-routes.ts'
import { fillPath, openThings } from '../test/support/dashboard/things.ts'
import { openFormShop } from '../test/support/form-shop.ts'
import { call, type House } from '../test/support/house.ts'
import { newPerson, Visitor } from '../test/support/visitor.ts'
import { openHostileHouse } from './hostile-requests.ts'

// Every route with a parameter in its path that no row can have, and every form with nothing in it but its key.

const oddParts = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%EF%BF%BF',
  '-1',
  '__proto__',
  '9'.repeat(400),
  'x'.repeat(3_100),
]

type Route = { readonly method: string; readonly url: string }

const operatorPages = new Set(
  allRoutes.filter(({ access }) => access === 'operator').map(({ path }) => `/dashboard${path}`),
)
const examples = new Map(
  allOperations('').map(({ method, path, body }) => [
    `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    JSON.stringify(body?.example),
  ]),
)

let house: House
let owner: Visitor
let operator: Visitor
let things: Readonly<Record<string, string>>
let routes: readonly Route[]

before(async () => {
  house = await openHostileHouse()
  owner = await newVisitor({ role: 'owner' })
  operator = await newVisitor({ isOperator: true })
  const person = await newPerson(house, { role: 'viewer' })
  const link = await newLink(house)
  const asked = { digits: link.digits, connector: 'stripe', owner: String(house.merchantId) }
  things = { ...(await openThings(house, owner)), ...asked, person: person.id }
  routes = routesOf(house.app.server).filter(({ method }) => method !== 'HEAD')
})
after(() => house.close())

async function newVisitor(given: Parameters<typeof newPerson>[1]): Promise<Visitor> {
  const visitor = new Visitor(house)
  await visitor.signIn(await newPerson(house, given))
  await visitor.get('/dashboard/account')
  return visitor
}

/** With the key or the session that the route wants, and the token of a form. */
async function statusOf({ method, url }: Route, path: string, body?: string): Promise<number> {
  if (url.startsWith('/dashboard')) {
    const visitor = operatorPages.has(url) ? operator : owner
    return (await (method === 'GET' ? visitor.get(path) : visitor.post(path))).status
  }
  const type = body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
  const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) }
  const key = url.startsWith('/api/v1/') ? house.apiKey : house.secretKey
  return (await call(house.url + path, { method, key, headers, ...(body !== undefined && { body }) })).status
}

test('no path parameter of any route gets a 5xx, whatever is in it', async () => {
  const failed: string[] = []
  for (const route of routes) {
    for (const [, name = ''] of route.url.matchAll(/:(\w+)/g)) {
      const calls = oddParts.map(async (part) => {
        const path = fillPath(route.url, { ...things, [name]: part })
        const status = await statusOf(route, path, examples.get(`${route.method} ${route.url}`))
        if (status >= 500) failed.push(`${status} ${route.method} ${route.url} ${name}=${part.slice(0, 20)}`)
      })
      await Promise.all(calls)
    }
  }
  assert.deepEqual(failed, [])
  await assertSignedIn()
})

/** Otherwise forms and pages were refused before they read anything. */
async function assertSignedIn(): Promise<void> {
  for (const visitor of [owner, operator]) assert.equal((await visitor.get('/dashboard/account')).status, 200)
}

test('a web form with nothing but its key is refused, with every kind of key', async () => {
  const shop = openFormShop(house)
  const keys = [await shop.formKey(), await shop.formKey({}, true), { key: house.secretKey }]
  for (const { key } of [...keys, { key: house.liveKey }, { key: house.apiKey }, { key: '' }])
    for (const accept of ['application/json', 'text/html']) {
      const { status, text } = await shop.send({ secret_key: key }, { accept })
      assert.ok(status >= 400 && status < 500, `${status} ${text}`)
    }
})

test('no form gets a 5xx when it has nothing but its key or token', async () => {
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    for (const body of route.url.startsWith('/dashboard') ? [''] : ['', '{}']) {
      const status = await statusOf(route, fillPath(route.url, things), body)
      assert.ok(status < 500, `${status} ${route.method} ${route.url} ${body}`)
    }
    // Some forms end the session or change the account: the next form needs one again.
    if (route.url.startsWith('/dashboard/account') || /sign/.test(route.url)) {
      owner = await newVisitor({ role: 'owner' })
      operator = await newVisitor({ isOperator: true })
    }
  }
  await assertSignedIn()
})
