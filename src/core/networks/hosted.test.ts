import { createTestDatabase } from '../../../test/support/database.ts'
import { keepsTheHostedContract, type UnderHostedContract } from '../../../test/support/hosted-contract.ts'
import { Database } from '../../platform/database/database.ts'
import { makeTestBank } from '../test-network/bank/bank.ts'
import { decide } from '../test-network/bank/decide.ts'
import { readPaidPages } from '../../../test/support/networks/test-bank-records.ts'
import { readReference } from '../test-network/bank/page-address.ts'

// Every network with a page of its own keeps the contract; those with a stand-in of their own call it from their tests.
keepsTheHostedContract('The test bank', openTestBank)

async function openTestBank(): Promise<UnderHostedContract> {
  const database = await createTestDatabase()
  const db = new Database(database.url)
  const now = (): Date => new Date()
  const bank = makeTestBank(db, 'https://pay.example.com', now)
  const pageOf = (reference: string) => {
    const page = readReference(reference)
    if (!page) throw new Error(`${reference} is no reference of the test bank`)
    return page
  }
  return {
    connector: bank,
    account: { id: 'acc_test-bank', credentials: {}, sandbox: true },
    currency: 'GBP',
    method: 'bank',
    pay: async ({ connectorReference }) => decide(db, pageOf(connectorReference), 'pay', now()),
    async refuse({ connectorReference }) {
      await decide(db, pageOf(connectorReference), 'refuse', now())
    },
    timesCharged: async ({ merchantId, paymentNumber }) =>
      (await readPaidPages(db, { merchantId, number: paymentNumber })).length,
    async refundedMinor({ merchantId, paymentNumber }) {
      const pages = await readPaidPages(db, { merchantId, number: paymentNumber })
      return pages.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0n)
    },
    async close() {
      await db.close()
      await database.drop()
    },
  }
}
