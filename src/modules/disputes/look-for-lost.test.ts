import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { disputeStatus, insertCharge } from '../../../test/support/dispute-desk.ts'
import { makeFakeNetwork } from '../../../test/support/fake-network.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { dayMs, hourMs, openTill, secondMs, type Till } from '../../../test/support/till.ts'
import type { DisputeStatus, HostedConnector } from '../../core/networks/hosted.ts'
import { sql } from '../../platform/database/sql.ts'
import { addAccount } from '../../core/merchants/accounts/change-accounts.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { lookForLostDisputes, type Looked } from './look-for-lost.ts'

// Disputes whose callbacks were all lost, at a network that says what the test wants it to say.

type AtNetwork = { readonly reference: string; readonly charge: string; readonly openedAt: Date }

let till: Till
let merchantId: number
let accountId: string
/** The newest first, as networks list them. */
let disputes: AtNetwork[]
/** Those that the network lists and does not tell of. */
let unreadable: Set<string>
let asked: string[]
let since: Date[]
let looked: Map<string, Looked>

before(async () => {
  till = await openTill()
})
after(() => till.close())

beforeEach(async () => {
  till.rewind()
  merchantId = await createMerchant(till.db, { name: 'Corner shop' })
  await till.db.query(
    sql`update connector_accounts set removed_at = '2000-01-01' where merchant_id <> ${merchantId}`,
  )
  accountId = await connect(merchantId)
  ;[disputes, asked, since] = [[], [], []]
  unreadable = new Set()
  looked = new Map()
})

async function connect(owner: number): Promise<string> {
  const account = {
    connector: 'fake',
    credentials: {},
    label: 'Corner shop',
    sandbox: false,
    callbacks: 'set_up',
  } as const
  return (await addAccount(till.db, testSecrets, owner, account)) ?? assert.fail()
}

function paying(changes: Partial<HostedConnector> = {}): Paying {
  const network: HostedConnector = {
    ...makeFakeNetwork(),
    credentials: [],
    // oxlint-disable-next-line require-await -- a network would be asked page by page
    async *disputesSince(_, from) {
      since.push(from)
      for (const { reference, openedAt } of disputes) if (openedAt >= from) yield reference
    },
    async fetchDispute(_, reference) {
      asked.push(reference)
      if (unreadable.has(reference)) throw new Error('connection reset')
      return statusOf(disputes.find((one) => one.reference === reference))
    },
    ...changes,
  }
  return { ...till.paying, connectors: [network] }
}

function statusOf(dispute: AtNetwork | undefined): DisputeStatus | undefined {
  return dispute && disputeStatus(dispute)
}

/** A paid payment whose dispute nobody has told us of. */
async function disputed(ageMs = hourMs): Promise<string> {
  const { charge } = await insertCharge(till, { merchantId, accountId })
  const reference = `du_${charge}`
  disputes.unshift({ reference, charge, openedAt: new Date(till.paying.now().getTime() - ageMs) })
  return reference
}

async function known(): Promise<string[]> {
  const rows = await till.db.query<{ reference: string }>(sql`
    select reference from disputes where merchant_id = ${merchantId} order by reference`)
  return rows.map(({ reference }) => reference)
}

test('an unreadable dispute doesn’t hide the others, and is retried until it can be read', async () => {
  const older = [await disputed(), await disputed()]
  const broken = await disputed()
  const newer = await disputed()
  unreadable.add(broken)
  assert.equal(await lookForLostDisputes(paying(), looked), 3)
  assert.deepEqual(await known(), [...older, newer].toSorted())
  assert.match(till.log(), /Could not read some disputes/)

  // Weeks later the list has long moved on.
  till.forward(30 * dayMs)
  assert.equal(await lookForLostDisputes(paying(), looked), 0)
  till.forward(hourMs)
  unreadable.clear()
  assert.equal(await lookForLostDisputes(paying(), looked), 1)
  assert.deepEqual(await known(), [...older, newer, broken].toSorted())
  till.forward(hourMs)
  asked = []
  await lookForLostDisputes(paying(), looked)
  assert.deepEqual(asked, [], 'what is known is not asked about again')
})

test('a network that fails five times is left alone, and the remaining disputes come first in the next hour', async () => {
  const all: string[] = []
  for (let count = 0; count < 7; count += 1) all.unshift(await disputed())
  unreadable = new Set(all.slice(0, 5))
  assert.equal(await lookForLostDisputes(paying(), looked), 0)
  assert.deepEqual(asked, all.slice(0, 5))
  asked = []
  till.forward(2 * dayMs)
  assert.equal(await lookForLostDisputes(paying(), looked), 2)
  assert.deepEqual(asked, [...all.slice(5), ...all.slice(0, 5)])
})

test('four failures and a success don’t end the round', async () => {
  const all: string[] = []
  for (let count = 0; count < 10; count += 1) all.unshift(await disputed())
  unreadable = new Set([...all.slice(0, 4), ...all.slice(5, 9)])
  assert.equal(await lookForLostDisputes(paying(), looked), 2)
})

test('the first search goes back sixty days, later ones to a day before the previous search', async () => {
  const start = till.paying.now().getTime()
  const tooOld = await disputed(60 * dayMs + secondMs)
  const justIn = await disputed(60 * dayMs)
  await lookForLostDisputes(paying(), looked)
  assert.deepEqual(await known(), [justIn])
  assert.ok(!asked.includes(tooOld))
  till.forward(hourMs)
  await lookForLostDisputes(paying(), looked)
  till.forward(10 * dayMs)
  await lookForLostDisputes(paying(), looked)
  assert.deepEqual(
    since.map((from) => from.getTime() - start),
    [-60 * dayMs, -dayMs, hourMs - dayMs],
  )
})

test('a list that can’t be read doesn’t move the cursor', async () => {
  const start = till.paying.now().getTime()
  await lookForLostDisputes(paying(), looked)
  till.forward(3 * dayMs)
  const broken: HostedConnector['disputesSince'] = async function* (_, from) {
    since.push(from)
    yield await Promise.reject(new Error('connection reset'))
  }
  await lookForLostDisputes(paying({ disputesSince: broken }), looked)
  const lost = await disputed(2 * dayMs)
  await lookForLostDisputes(paying(), looked)
  assert.deepEqual(
    since.map((from) => from.getTime() - start),
    [-60 * dayMs, -dayMs, -dayMs],
  )
  assert.deepEqual(await known(), [lost])
})

test('a removed account is still asked for 180 days', async () => {
  const removed = async (agoMs: number): Promise<void> => {
    const at = new Date(till.paying.now().getTime() - agoMs)
    await till.db.query(
      sql`update connector_accounts set removed_at = ${at} where merchant_id = ${merchantId}`,
    )
  }
  await removed(180 * dayMs + secondMs)
  await lookForLostDisputes(paying(), looked)
  assert.equal(since.length, 0)
  await removed(180 * dayMs)
  await lookForLostDisputes(paying(), looked)
  assert.equal(since.length, 1)
})
