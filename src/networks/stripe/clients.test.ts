import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'

const never = new AbortController().signal
const callbackUrl = 'https://pay.example.com/callbacks/stripe/installation'
let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

test('calls that share a client are aborted separately', async () => {
  const { connector, account, network } = world
  const ending = new AbortController()
  const struck = network.turn({ kind: 'hangs', when: 'before' }, { times: 1 })
  const hung = connector.check(account, callbackUrl, ending.signal)
  await struck
  assert.equal((await connector.check(account, callbackUrl, never)).kind, 'works')
  ending.abort()
  await assert.rejects(hung)
})

test('another account’s key is never sent through this client, even with both in use at once', async () => {
  const { connector, account } = world
  const stranger = { ...account, credentials: { secret_key: 'sk_test_of_somebody_else' } }
  const checked = await Promise.all(
    [account, stranger, account, stranger].map(async (one) => connector.check(one, callbackUrl, never)),
  )
  assert.deepEqual(
    checked.map(({ kind }) => kind),
    ['works', 'refused', 'works', 'refused'],
  )
})

test('the statement descriptor is sent in the form Stripe accepts for cards', async () => {
  const { connector, account, network } = world
  const suffixOf = async (statementDescriptor?: string) => {
    const page = { ...makePage(), statementDescriptor }
    const order = makeOrder({ connector, currency: 'GBP', method: 'card' })
    const opened = await connector.open(account, order, page, never)
    if (opened.kind !== 'open') return opened.why
    return network.books.intents.get(opened.connectorReference)?.statement_descriptor_suffix
  }
  assert.equal(await suffixOf('ADAS BOOKS'), 'ADAS BOOKS')
  assert.equal(await suffixOf(), null)
  assert.match((await suffixOf('ADA*BOOKS')) ?? '', /statement_descriptor_suffix/, 'the stand-in is strict')
  assert.match((await suffixOf('12345')) ?? '', /statement_descriptor_suffix/)
})
