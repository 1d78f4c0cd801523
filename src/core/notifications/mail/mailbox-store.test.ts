import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { moment } from '../../../../test/support/notification-rows.ts'
import {
  deliveryTwins,
  insertTwinDeliveries,
  storedDelivery,
  type StoredDelivery,
} from '../../../../test/support/twin-deliveries.ts'
import { Database } from '../../../platform/database/database.ts'
import { findKeptMail, findMail, listKeptMails, listMails, type MailFilter } from './mailbox-store.ts'

// Mails that differ in one thing each, in both modes and of two merchants, with the same ids.

let home: TestDatabase
let db: Database
const modes = ['test', 'live'] as const
const ada = 'Ada@Example.com'
const mail = { kind: 'mail', origin: 'mail', target: ada, state: 'kept' } as const
const grace = { ...mail, target: 'grace@example.com' }
const changes: readonly Partial<StoredDelivery>[] = [
  mail,
  mail,
  { ...mail, state: 'waiting' },
  { ...mail, state: 'delivered' },
  { ...mail, state: 'paused' },
  { ...mail, state: 'paused' },
  { ...mail, state: 'failed' },
  { ...mail, state: 'skipped' },
  { state: 'kept', target: ada },
  { state: 'paused', target: ada },
  grace,
  grace,
  { ...mail, state: 'paused' },
  { ...mail, state: 'paused' },
]
/** Two of each moment, so that the id decides; what is newest in test mode is oldest in live mode. */
const all = modes.flatMap((mode) =>
  changes.map((change, index) => {
    const place = mode === 'test' ? index : changes.length - 1 - index
    const id = `msg_${mode}_${String((index * 5) % changes.length).padStart(2, '0')}`
    return storedDelivery(id, { ...change, mode, created_at: moment(Math.floor(place / 2)) })
  }),
)

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  await insertTwinDeliveries(db, all)
})
after(async () => {
  await db.close()
  await home.drop()
})

const isKept = ({ kind, state }: StoredDelivery): boolean =>
  kind === 'mail' && (state === 'kept' || state === 'paused')

const placeOf = ({ created_at, id }: Pick<StoredDelivery, 'created_at' | 'id'>): string =>
  `${created_at} ${id}`

/** The newest first, with whose they are. */
function wanted(merchantId: number, isWanted: (one: StoredDelivery) => boolean): string[] {
  return all
    .filter(isWanted)
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
    .map(({ id }) => `${merchantId} ${id}`)
}

function names(found: readonly { merchant_id: number; id: string }[]): string[] {
  return found.map(({ merchant_id, id }) => `${merchant_id} ${id}`)
}

test('kept mails are listed with those waiting for a mail server, newest first', async () => {
  for (const merchantId of deliveryTwins) {
    for (const mode of modes) {
      const kept = wanted(merchantId, (one) => one.mode === mode && isKept(one))
      for (const limit of [1, 3, 100])
        assert.deepEqual(names(await listKeptMails(db, { merchantId, mode }, limit)), kept.slice(0, limit))
    }
  }
})

test('a mail is found by its id, in its mode and for its merchant', async () => {
  for (const merchantId of deliveryTwins) {
    for (const mode of modes) {
      for (const one of all) {
        const of = { merchantId, mode, id: one.id }
        const [stored, kept] = [await findMail(db, of), await findKeptMail(db, of)]
        const isMail = one.mode === mode && one.kind === 'mail'
        const name = [`${merchantId} ${one.id}`]
        assert.deepEqual(names(stored ? [stored] : []), isMail ? name : [])
        assert.deepEqual(names(kept ? [kept] : []), isMail && isKept(one) ? name : [])
      }
    }
  }
})

const questions: readonly Omit<MailFilter, 'merchantId' | 'mode'>[] = [
  {},
  { target: ada.toLowerCase() },
  { target: ada.toUpperCase() },
  { target: 'grace@example.com' },
  { target: 'nobody@example.com' },
]

test('live mails are listed in every state, newest first, page by page, for all addresses or one', async () => {
  const live = all.filter(({ mode, kind }) => mode === 'live' && kind === 'mail')
  for (const merchantId of deliveryTwins) {
    for (const question of questions) {
      for (const behind of [undefined, ...live.slice(0, 4)]) {
        const mails = wanted(merchantId, (one) => live.includes(one) && fits(one, question, behind))
        const filter = { merchantId, mode: 'live', ...question, after: edgeOf(behind) } as const
        for (const limit of [1, 100])
          assert.deepEqual(names(await listMails(db, filter, 1, limit)), mails.slice(0, limit))
      }
    }
  }
})

test('test mails that were kept are listed, and an address is searched among the newest', async () => {
  const kept = all.filter(({ mode, kind, state }) => mode === 'test' && kind === 'mail' && state === 'kept')
  for (const merchantId of deliveryTwins) {
    for (const question of questions) {
      for (const behind of [undefined, ...kept]) {
        const newest = wanted(merchantId, (one) => kept.includes(one) && fits(one, {}, behind))
        const toAddress = wanted(merchantId, (one) => fits(one, question))
        const filter = { merchantId, mode: 'test', ...question, after: edgeOf(behind) } as const
        for (const [looked, limit] of [
          [100, 100],
          [100, 1],
          [1, 100],
          [3, 2],
        ] as const) {
          const mails = newest.slice(0, looked).filter((name) => toAddress.includes(name))
          assert.deepEqual(names(await listMails(db, filter, looked, limit)), mails.slice(0, limit))
        }
      }
    }
  }
})

function edgeOf(one: StoredDelivery | undefined): MailFilter['after'] {
  return one && { at: one.created_at, id: one.id }
}

function fits(one: StoredDelivery, { target }: Pick<MailFilter, 'target'>, behind?: StoredDelivery): boolean {
  return (
    (target === undefined || one.target.toLowerCase() === target.toLowerCase()) &&
    (behind === undefined || placeOf(one) < placeOf(behind))
  )
}
