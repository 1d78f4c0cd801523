import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { addAccount } from '../../src/core/merchants/accounts/change-accounts.ts'
import { listAccounts } from '../../src/core/merchants/accounts/list-accounts.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { changeMerchant } from '../../src/core/merchants/create-merchant.ts'
import { openHouse, type House } from '../support/house.ts'
import { startStripe, type StripeStandIn } from '../support/networks/stripe.ts'
import { actionsOf, signedIn, type PageAnswer, type Visitor } from '../support/visitor.ts'

// Networks in the dashboard: connected, tested, changed and disconnected by their owner. The stand-in is Stripe on this
// machine.

// Assembled here, so that no scanner of the repository takes it for a real one.
const secretKey = `sk_test_${'A1b2C3d4'.repeat(3)}`
let stripe: StripeStandIn
let house: House
let owner: Visitor
let networks: string
let page: string
const seen: string[] = []

before(async () => {
  stripe = await startStripe({ secretKey })
  house = await openHouse({
    settings: { STRIPE_URL: stripe.url, SMTP_URL: 'smtp://127.0.0.1:9', ALLOW_UNSAFE_DATABASE: 'on' },
  })
  owner = await signedIn(house, { role: 'owner', isOperator: true })
  networks = `/dashboard/${house.merchantId}/live/settings/networks`
  page = `${networks}/stripe`
})
after(async () => {
  await house.close()
  await stripe.close()
})

async function fill(path: string, fields: Record<string, string>, to = path): Promise<PageAnswer> {
  const answer = await owner.fill(path, fields, to)
  seen.push(answer.text)
  return answer
}

const accounts = async () => listAccounts(house.db, house.merchantId)

test('test mode has no networks to connect', async () => {
  const inTest = networks.replace('/live/', '/test/')
  const { text } = await owner.get(inTest)
  assert.match(text, /Test mode has its own network/)
  assert.equal((await owner.get(`${inTest}/stripe/connect`)).to, networks)
  await owner.get(page)
  assert.equal((await owner.post(`${inTest}/stripe/connect`, { secret_key: secretKey })).to, networks)
  assert.deepEqual(await accounts(), [])
})

test('wrong credentials are explained, and neither stored nor shown again', async () => {
  assert.match((await owner.get(networks)).text, /Not connected/)
  const wrong = await fill(`${page}/connect`, { secret_key: 'sk_test_wrong' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /Stripe rejected these credentials: .+ Nothing was saved\./)
  assert.doesNotMatch(wrong.text, /sk_test_wrong/)
  const missing = await fill(`${page}/connect`, { webhook_secret: 'whsec_1' })
  assert.match(missing.text, /id="secret_key-error">Enter the secret key/)
  const spaced = await fill(`${page}/connect`, { secret_key: 'two words' })
  assert.match(spaced.text, /Secret key must be one word/)
  void stripe.turn({ kind: 'cuts', when: 'before' })
  const silent = await fill(`${page}/connect`, { secret_key: secretKey })
  assert.match(silent.text, /No answer from Stripe: connection_reset\. Nothing was saved\./)
  assert.deepEqual(await accounts(), [])
  assert.equal((await owner.get(`${networks}/nothing`)).status, 404)
  assert.equal((await owner.get(`${page}/credentials`)).status, 404)
})

test('an account is connected, marked as sandbox, and shows its callback URL', async () => {
  const connected = await fill(`${page}/connect`, { secret_key: secretKey })
  assert.deepEqual([connected.status, connected.to], [303, page])
  const { text } = await owner.get(page)
  assert.match(text, /Network connected/)
  assert.match(text, /sandbox: no real money/)
  assert.match(text, /not set up/)
  assert.ok(text.includes(`/callbacks/stripe/${house.merchantId}"`))
  assert.match(text, /Last callback<\/dt>\s*<dd><span class="quiet">Not yet/)
  assert.equal((await actionsOf(house)).at(-1), 'account.added')
  assert.equal((await accounts()).length, 1)
  // Somebody who sends the form again has what was wanted.
  assert.equal((await fill(`${page}/connect`, { secret_key: secretKey })).to, page)
  assert.equal((await accounts()).length, 1)
})

test('a test asks the network and reports what works; callbacks are set up, and the last one’s time is shown', async () => {
  const tested = await fill(page, {}, `${page}/do/test`)
  assert.match(tested.text, /Stripe works: .+, sandbox, no real money; callbacks are not set up\./)
  const set = await fill(page, {}, `${page}/do/callbacks`)
  assert.match(set.text, /callbacks are set up\./)
  assert.equal((await actionsOf(house)).at(-1), 'account.changed')
  const [account] = await accounts()
  await house.db.query(sql`
    insert into callback_events (merchant_id, account_id, event_id, connector, about, state, next_try_at, received_at)
    values (${house.merchantId}, ${account?.id}, 'evt_1', 'stripe', 'order', 'waiting', now(), now() - interval '5 minutes')`)
  assert.match((await owner.get(page)).text, /Last callback<\/dt>\s*<dd><time[^>]*>5 minutes ago/)
  assert.match((await owner.get(networks)).text, /last callback <time/)
  void stripe.turn({ kind: 'cuts', when: 'before' })
  assert.match((await fill(page, {}, `${page}/do/test`)).text, /No answer from Stripe/)
})

test('new credentials must be for the same account; an empty field keeps the old value', async () => {
  assert.equal((await fill(`${page}/credentials`, { webhook_secret: 'whsec_other' })).to, page)
  assert.equal((await actionsOf(house)).at(-1), 'account.changed')
  const wrong = await fill(`${page}/credentials`, { secret_key: 'sk_test_wrong' })
  assert.match(wrong.text, /Nothing was saved/)
  assert.match((await fill(page, {}, `${page}/do/test`)).text, /Stripe works/)
})

test('recommended steps are optional: an operator on the team goes live when nothing required is missing', async () => {
  await changeMerchant(house.db, house.merchantId, { liveEnabled: false })
  const live = `/dashboard/${house.merchantId}/live/settings/live`
  const asked = stripe.requests.length
  const { text } = await owner.get(live)
  assert.match(text, /Stripe works/)
  assert.equal(stripe.requests.length, asked, 'opening the page asks nobody')
  assert.match(text, /is a sandbox: no real money moves/)
  assert.match((await fill(live, {}, `${live}/do/check`)).text, /Check again/)
  assert.ok(stripe.requests.length > asked)
  assert.equal((await owner.fill(live, {})).status, 409)
  const switched = await owner.fill(live, { force: 'yes' })
  assert.equal(switched.status, 303, switched.text)
  assert.equal((await readMerchant(house.db, house.merchantId))?.liveEnabled, true)
  assert.match((await owner.get(live)).text, /Live payments are on/)
})

test('disconnecting asks first; the installation’s accounts can’t be seen or changed by a shop', async () => {
  assert.match((await owner.get(`${page}/disconnect`)).text, /New payments no longer use this account/)
  const gone = await fill(`${page}/disconnect`, {})
  assert.equal(gone.to, networks)
  assert.equal((await actionsOf(house)).at(-1), 'account.removed')
  assert.equal((await accounts()).filter(({ removed_at }) => removed_at === null).length, 0)
  assert.equal((await owner.get(`${page}/disconnect`)).status, 404)

  await addAccount(house.db, house.app.secrets, 'installation', {
    connector: 'stripe',
    credentials: { secret_key: secretKey },
    label: 'All shops (acct_9)',
    sandbox: true,
    callbacks: 'set_up',
  })
  const { text } = await owner.get(page)
  assert.match(text, /All shops/)
  assert.doesNotMatch(text, /Test connection|Disconnect|Change credentials/)
  for (const verb of ['/do/test', '/do/callbacks', '/disconnect', '/credentials'])
    assert.equal((await owner.post(page + verb)).status, 404, verb)
})

test('no page and no audit entry ever showed a credential', async () => {
  const entries = await house.db.query<{ entry: string }>(sql`select audit_log::text as entry from audit_log`)
  const all = [...seen, ...entries.map(({ entry }) => entry)].join('\n')
  for (const secret of [secretKey, 'whsec_', 'sk_test_wrong']) assert.ok(!all.includes(secret), secret)
})
