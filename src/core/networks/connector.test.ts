import { keepsTheContract, type UnderContract } from '../../../test/support/connector-contract.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import type { CardDetails } from './connector.ts'
import { readCharged } from '../../../test/support/networks/test-network-records.ts'
import { makeTestNetwork, undecidedMs } from '../test-network/network.ts'

// Every connector stands in this list.
const connectors: Readonly<Record<string, () => Promise<UnderContract>>> = {
  'The test network': openTestNetwork,
}

for (const [name, open] of Object.entries(connectors)) keepsTheContract(name, open)

async function openTestNetwork(): Promise<UnderContract> {
  const database = await createTestDatabase()
  const db = new Database(database.url)
  let nowMs = Date.now()
  return {
    connector: makeTestNetwork(db, () => new Date(nowMs)),
    merchantId: await createMerchant(db, { name: 'Corner shop' }),
    cards: {
      good: card('4242 4242 4242 4242'),
      declined: card('4000 0000 0000 0002'),
      challenge: card('4000 0000 0000 3220'),
      timeOutPaid: card('4000 0000 0000 5043'),
      timeOutNotPaid: card('4000 0000 0000 5050'),
      notTaken: card('4012 8888 8888 1881'),
    },
    async timesCharged(order) {
      const { merchantId, paymentNumber } = order
      return (await readCharged(db, { merchantId, number: paymentNumber })).length
    },
    letItDecide() {
      nowMs += undecidedMs
    },
    async close() {
      await db.close()
      await database.drop()
    },
  }
}

function card(number: string): CardDetails {
  return { number, expiryMonth: 12, expiryYear: 2099, cvc: '123' }
}
