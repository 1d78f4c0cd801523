import { fileURLToPath } from 'node:url'
import { countPackages, installApp, runIn } from './install.ts'
import { shares, type Call, type Plan } from './plan.ts'
import { many, openPlace, startOften, type Peer } from './server.ts'
import { serveAlone } from './serve-alone.ts'
import { vendureApp } from './vendure-app.ts'

// node bin/run.js bench/peers/vendure.ts [folder]: Vendure 3, from npm to a server that takes payments.

/** An order that waits for its payment, and the session of the guest who made it. */
type Order = { readonly code: string; readonly headers: Readonly<Record<string, string>> }

const lookUps = 200
// Fewer than Medusa gets: they are made over HTTP, an eighth of a second each.
const orders = shares * 150

const addItem = 'mutation { addItemToOrder(productVariantId: 1, quantity: 1) { ... on Order { code } } }'
const arrange = (at: number): string => `mutation {
  setCustomerForOrder(input: { emailAddress: "ada-${at}@example.com", firstName: "Ada", lastName: "Lovelace" }) { __typename }
  setOrderShippingAddress(input: { streetLine1: "1 High Street", countryCode: "GB" }) { __typename }
  setOrderShippingMethod(shippingMethodId: [1]) { __typename }
  transitionOrderToState(state: "ArrangingPayment") { ... on Order { state } ... on ErrorResult { message } }
}`
const pay =
  'mutation { addPaymentToOrder(input: { method: "peer", metadata: {} }) { ... on Order { code state } ... on ErrorResult { message } } }'
const lookUpOf = (code: string): string =>
  `{ orderByCode(code: "${code}") { code state totalWithTax payments { state amount } } }`

export async function openVendure(folder: string, say: (doing: string) => void): Promise<Peer> {
  await using opened = new AsyncDisposableStack()
  say('installing')
  await installApp(folder, vendureApp)
  const place = await openPlace(opened)
  const { port, postgresPid } = place
  const env = { ...place.env, VENDURE_DISABLE_TELEMETRY: 'true' }
  say('making its tables')
  await runIn(folder, ['seed.js'], env)
  say('starting')
  const program = { folder, args: ['index.js'], env, port, readyPath: '/health' }
  const { pid, readySeconds } = await startOften(opened, program)
  say('filling in orders')
  const made = await many(orders + lookUps, async (at) => makeOrder(port, at))
  const known = made.slice(0, lookUps)
  await many(lookUps, async (at) => ask(port, pay, (known[at] as Order).headers, 'PaymentSettled'))
  const answers = { port, expectStatus: 200 }
  const create: Plan = {
    ...answers,
    expectText: '"PaymentSettled"',
    once: true,
    calls: made.slice(lookUps).map(({ headers }) => callOf(pay, headers)),
  }
  const lookUp: Plan = {
    ...answers,
    expectText: '"Settled"',
    calls: known.map(({ code, headers }) => callOf(lookUpOf(code), headers)),
  }
  const closing = opened.move()
  return {
    name: 'Vendure',
    create,
    lookUp,
    packages: countPackages(folder),
    readySeconds,
    pids: [pid, postgresPid],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function makeOrder(port: number, at: number): Promise<Order> {
  const { text, token } = await ask(port, addItem, {}, '"code"')
  const headers = { Authorization: `Bearer ${token}` }
  await ask(port, arrange(at), headers, '"ArrangingPayment"')
  return { code: /"code":"(\w+)"/.exec(text)?.[1] ?? '', headers }
}

async function ask(
  port: number,
  query: string,
  headers: Readonly<Record<string, string>>,
  expected: string,
): Promise<{ text: string; token: string | null }> {
  const { method, path, body } = callOf(query, headers)
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!text.includes(expected)) throw new Error(`Vendure answered ${answer.status} to ${query}: ${text}`)
  return { text, token: answer.headers.get('vendure-auth-token') }
}

function callOf(query: string, headers: Readonly<Record<string, string>>): Call {
  return { method: 'POST', path: '/shop-api', headers, body: { query } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serveAlone('vendure', openVendure)
