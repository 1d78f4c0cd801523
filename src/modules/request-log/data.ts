import { spellings } from '../../platform/input/erased.ts'
import type { Customer, PersonalRows } from '../../core/privacy/personal-rows.ts'
import type { RoomData } from '../../core/privacy/room-data.ts'
import { deleteMentioning, listMentioning, type Mentioned } from './request-store.ts'

/**
 * Requests and answers about a customer's payments, or that name their address. The log is a copy for reading: a line about
 * an erased customer is deleted as a whole.
 */
const personalRequests: PersonalRows = {
  what: 'requests',
  async read(db, customer) {
    const mentioned = mentionsOf(customer)
    return isEmpty(mentioned) ? [] : listMentioning(db, customer.merchantId, mentioned)
  },
  async erase(tx, customer) {
    const mentioned = mentionsOf(customer)
    return isEmpty(mentioned) ? 0 : deleteMentioning(tx, customer.merchantId, mentioned)
  },
}

export const requestLogData: RoomData = { personal: [personalRequests] }

function mentionsOf({ txRefs, email, isWholePerson }: Customer): Mentioned {
  return { words: txRefs, pattern: isWholePerson ? spellings(email) : null }
}

function isEmpty({ words, pattern }: Mentioned): boolean {
  return words.length === 0 && pattern === null
}
