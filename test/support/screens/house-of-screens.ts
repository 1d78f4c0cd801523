import { makeTestBank } from '../../../src/core/test-network/bank/bank.ts'
import { Database } from '../../../src/platform/database/database.ts'
import { createLink } from '../../../src/modules/links/create-link.ts'
import { linkUrl } from '../../../src/modules/links/address.ts'
import { pauseLink } from '../../../src/modules/links/change-link.ts'
import type { Linking } from '../../../src/modules/links/linking.ts'
import { readLink } from '../../../src/modules/links/read-link.ts'
import { bySystem } from '../../../src/core/audit/audit.ts'
import { makeFindMerchant } from '../../../src/core/merchants/authenticate.ts'
import { createKey } from '../../../src/core/merchants/change-keys.ts'
import { createMerchant, enableCurrency } from '../../../src/core/merchants/create-merchant.ts'
import { methodMarks } from '../../../src/platform/money/payment-methods.ts'
import { makeCreatePayment } from '../../../src/core/payments/create-payment.ts'
import { giveBrand } from '../branded.ts'
import { accountsInMemory, asLive, liveAccount } from '../hosted-choice.ts'
import { openHouse, type House } from '../house.ts'

// Where the pictures are taken: a shop that has said everything about itself, one that has said nothing, and one with a long
// name; with a live network, so that there is something to choose.

export type ScreensHouse = House & {
  readonly plainKey: string
  readonly longNameKey: string
  readonly formKey: string
  /** The address of a new payment link. */
  newPaymentLink(fields: Record<string, string>, isPaused?: boolean): Promise<string>
  close(): Promise<void>
}

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

export async function openScreensHouse(databaseUrl: string): Promise<ScreensHouse> {
  const db = new Database(databaseUrl)
  const bank = makeTestBank(db, 'https://pay.network.example', () => new Date())
  const live = asLive(bank, 'Stand-in', { methods: () => ['card', 'bank'], takesDays: true })
  const accounts = accountsInMemory([{ ...liveAccount('Stand-in'), marks: methodMarks }])
  const settings = { MISS_LIMIT_PER_SECOND: '1000' }
  const house = await openHouse({ databaseUrl, settings, world: { connectors: [live], accounts } })
  await giveBrand(house)
  await enableCurrency(house.db, house.merchantId, 'KWD')
  const form = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'web',
    bounds: { hosts: ['shop.example'] },
  })
  return {
    ...house,
    plainKey: await otherShop(house, 'Corner shop', 'KWD'),
    longNameKey: await otherShop(house, longName, 'INR'),
    formKey: form.key,
    newPaymentLink: async (fields, isPaused) => newPaymentLink(house, fields, isPaused),
    async close() {
      await house.close()
      await db.close()
    },
  }
}

async function otherShop({ db }: House, name: string, currency: string): Promise<string> {
  const merchantId = await createMerchant(db, { name })
  await enableCurrency(db, merchantId, currency)
  return (await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })).key
}

async function newPaymentLink(
  house: House,
  fields: Record<string, string>,
  isPaused = false,
): Promise<string> {
  const linking: Linking = {
    ...house.app.core,
    paying: house.app.paying,
    createPayment: makeCreatePayment(house.db, house.url),
  }
  const merchant = await makeFindMerchant(house.db, house.app.listener)(house.merchantId)
  if (!merchant) throw new Error('There is no merchant')
  const place = { merchant, mode: 'test' } as const
  const form = new Map(
    Object.entries({ kind: 'reusable', title: 'A seat at the fair', currency: 'GBP', ...fields }),
  )
  const link = await createLink(linking, place, readLink(form, place, new Date()), bySystem)
  if (isPaused) await pauseLink(linking, place, link.id, bySystem)
  return new URL(new URL(linkUrl(link, house.url)).pathname, house.url).href
}
