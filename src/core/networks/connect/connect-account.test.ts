import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { makeFakeNetwork, type FakeNetwork } from '../../../../test/support/fake-network.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { bySystem } from '../../audit/audit.ts'
import { Database } from '../../../platform/database/database.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { readAccounts } from '../../merchants/accounts/read-accounts.ts'
import { NoAnswer } from '../no-answer.ts'
import {
  changeCredentials,
  connectAccount,
  disconnectAccount,
  identityOf,
  livingAccount,
  setUpCallbacks,
  testAccount,
  type Connecting,
} from './connect-account.ts'

// What is stored of an account at a network, and what is not.

let connecting: Connecting
let network: FakeNetwork
let owner: number
let close: () => Promise<void>
before(async () => {
  const database = await createTestDatabase()
  const db = new Database(database.url)
  connecting = { db, secrets: testSecrets, baseUrl: 'https://pay.example.com' }
  close = async () => {
    await db.close()
    await database.drop()
  }
})
after(() => close())
beforeEach(async () => {
  network = makeFakeNetwork()
  owner = await createMerchant(connecting.db, { name: 'Corner shop', liveEnabled: true })
})

const good = { secretKey: 'good-1' }
const works = { kind: 'works', accountName: 'Corner shop (fk_1)', sandbox: false } as const

async function connect(credentials: Record<string, string> = good): Promise<string> {
  return (await connectAccount(connecting, network, { owner, credentials }, bySystem)).kind
}

async function stored() {
  const accounts = await readAccounts(connecting.db, testSecrets, owner)
  return accounts.find(({ isRemoved }) => !isRemoved)
}

async function storedAccount() {
  return (await stored()) ?? assert.fail('no account is stored')
}

async function change(credentials: Record<string, string>): Promise<string> {
  const account = await storedAccount()
  return (await changeCredentials(connecting, network, { account, credentials }, bySystem)).kind
}

test('an account is stored with what the network reports of it', async () => {
  network.checked = { ...works, callbacks: 'missing', marks: ['visa'] }
  assert.equal(await connect(), 'connected')
  const { credentials, label, sandbox, callbacks, marks } = await storedAccount()
  assert.deepEqual(
    { credentials, label, sandbox, callbacks, marks },
    {
      credentials: good,
      label: 'Corner shop (fk_1)',
      sandbox: false,
      callbacks: 'missing',
      marks: ['visa'],
    },
  )
})

test('credentials that the network refuses are not stored', async () => {
  assert.equal(await connect({ secretKey: 'bad' }), 'fails')
  assert.equal(await stored(), undefined)
})

test('an owner has one active account per network, and can add another once that is removed', async () => {
  assert.equal(await connect(), 'connected')
  assert.equal(await connect(), 'taken')
  const first = await storedAccount()
  await disconnectAccount(connecting.db, first, bySystem)
  assert.equal(await livingAccount(connecting.db, owner, 'fake'), undefined)
  assert.equal(await connect(), 'connected')
  const living = await livingAccount(connecting.db, owner, 'fake')
  assert.ok(living !== undefined && living.id !== first.id)
  assert.equal(await livingAccount(connecting.db, owner, 'other'), undefined)
})

test('new credentials of the same account replace the old ones, also when it has a new name', async () => {
  await connect()
  network.checked = { ...works, accountName: 'Corner shop Ltd (fk_1)', callbacks: 'missing', marks: ['amex'] }
  assert.equal(await change({ secretKey: 'good-2' }), 'changed')
  const { credentials, label, marks } = await storedAccount()
  assert.deepEqual(
    { credentials, label, marks },
    { credentials: { secretKey: 'good-2' }, label: 'Corner shop Ltd (fk_1)', marks: ['amex'] },
  )
})

for (const [what, kind, credentials, accountName] of [
  ['refuses', 'fails', { secretKey: 'bad' }, works.accountName],
  ['says belong to another account', 'other_account', { secretKey: 'good-2' }, 'Corner shop (fk_2)'],
  ['says are of a sandbox', 'other_account', { secretKey: 'good-sandbox' }, works.accountName],
] as const)
  test(`credentials that the network ${what} leave the old ones in place`, async () => {
    await connect()
    network.checked = { ...works, accountName, callbacks: 'missing' }
    assert.equal(await change(credentials), kind)
    assert.deepEqual((await storedAccount()).credentials, good)
  })

test('a test of an account stores what the network reports, and nothing when it refuses or is silent', async () => {
  await connect()
  const account = await storedAccount()
  network.checked = { ...works, accountName: 'Renamed (fk_1)', callbacks: 'missing', marks: ['visa'] }
  assert.equal((await testAccount(connecting, network, account)).kind, 'works')
  assert.deepEqual(
    [(await storedAccount()).label, (await storedAccount()).marks],
    ['Renamed (fk_1)', ['visa']],
  )
  network.checked = { kind: 'refused', why: 'closed' }
  assert.deepEqual(await testAccount(connecting, network, account), network.checked)
  network.check = async () => {
    throw new NoAnswer('Fakepay', 'status 503')
  }
  assert.deepEqual(await testAccount(connecting, network, account), { kind: 'no_answer', why: 'status 503' })
  assert.equal((await storedAccount()).label, 'Renamed (fk_1)')
})

test('setting up callbacks stores the secret beside the other credentials', async () => {
  await connect()
  assert.equal((await setUpCallbacks(connecting, network, await storedAccount(), bySystem)).kind, 'works')
  assert.deepEqual(network.endpoints, [`https://pay.example.com/callbacks/fake/${owner}`])
  const { credentials, callbacks } = await storedAccount()
  assert.deepEqual(Object.keys(credentials).toSorted(), ['secretKey', 'signingSecret'])
  assert.equal(callbacks, 'set_up')
})

test('the callback secret is stored even if the network then stops answering', async () => {
  await connect()
  const account = await storedAccount()
  network.check = async () => {
    throw new NoAnswer('Fakepay', 'status 503')
  }
  assert.equal((await setUpCallbacks(connecting, network, account, bySystem)).kind, 'no_answer')
  assert.ok((await storedAccount()).credentials['signingSecret'] !== undefined)
})

test('callbacks that the network reports as missing right after they were set up are stored as missing', async () => {
  await connect()
  const account = await storedAccount()
  network.check = async () => ({ ...works, callbacks: 'missing' })
  await setUpCallbacks(connecting, network, account, bySystem)
  assert.equal((await storedAccount()).callbacks, 'missing')
})

test('a network that can’t create callbacks changes nothing, and says why', async () => {
  await connect()
  const account = await storedAccount()
  const byHand = { ...network, setUpCallback: undefined } as never
  assert.deepEqual(await setUpCallbacks(connecting, byHand, account, bySystem), {
    kind: 'not_made',
    why: 'create it by hand',
  })
  network.setUpCallback = async () => {
    throw new NoAnswer('Fakepay', 'status 503')
  }
  assert.deepEqual(await setUpCallbacks(connecting, network, account, bySystem), {
    kind: 'not_made',
    why: 'status 503',
  })
  assert.deepEqual((await storedAccount()).credentials, good)
})

test('a connector’s own bug is never mistaken for a network that doesn’t answer', async () => {
  network.check = async () => {
    throw new TypeError('a bug')
  }
  await assert.rejects(connect(), TypeError)
})

for (const [label, identity] of [
  ['Corner shop (acct_1)', 'acct_1'],
  ['Corner (shop) (acct_1)', 'acct_1'],
  ['acct_1', 'acct_1'],
  ['Corner (shop) Ltd', 'Corner (shop) Ltd'],
] as const)
  test(`the account "${label}" is recognised as ${identity}`, () => {
    assert.equal(identityOf(label), identity)
  })
