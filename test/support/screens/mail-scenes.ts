import { makeFindMerchant } from '../../../src/core/merchants/authenticate.ts'
import { composeMail, type CustomerMail } from '../../../src/core/notifications/mail/compose-mail.ts'
import type { ScreensHouse } from './house-of-screens.ts'
import type { Scene } from './scenes.ts'

// Mails to customers, as a program shows them that knows HTML: in a window of 600 pixels, and on the smallest phone.

const receipt: Omit<CustomerMail, 'language'> = {
  template: 'receipt',
  firstName: 'Ada',
  amountMinor: '123450',
  refundedMinor: '0',
  currency: 'GBP',
  reference: 'FL23456789ABCD',
  txRef: 'order-1001',
  receiptUrl: 'https://pay.example/payment/1',
  title: 'Two walnut chairs',
  paidWith: { network: 'test-network', card: { brand: 'Visa', last4: '4242' } },
}

const items: Partial<CustomerMail> = {
  invoiceNumber: 'INV-2026-0042',
  items: [
    { name: 'Walnut chair', quantity: 2, totalMinor: '104000' },
    {
      name: 'A book about chairs, with a long name that does not fit a line',
      quantity: 1,
      totalMinor: '20450',
    },
    { name: 'Old chairs taken away', quantity: 1, totalMinor: '-1000' },
  ],
  taxes: [{ rate: '20', taxMinor: '17167' }],
}

function letter(changes: Partial<CustomerMail>, isTest = false): Scene {
  return {
    prepare: async (house) => `${house.url}/letter`,
    widths: [320, 600],
    letter: async (house, language) => write(house, { ...receipt, ...changes, language }, isTest),
  }
}

async function write(house: ScreensHouse, facts: CustomerMail, isTest: boolean): Promise<string> {
  const merchant = await makeFindMerchant(house.db, house.app.listener)(house.merchantId)
  if (!merchant) throw new Error('There is no merchant')
  const { id, name, brand } = merchant
  return composeMail(facts, {
    merchantName: name,
    isTest,
    at: '2026-11-15T14:05:00.000000Z',
    brand,
    logoUrl: `${house.url}/logo/${id}/${brand.logoId}`,
  }).html
}

export const mailScenes: Readonly<Record<string, Scene>> = {
  'mail-receipt': letter({}),
  'mail-items': letter(items, true),
  'mail-refund': letter({ template: 'refund', refundedMinor: '40000', reason: 'One chair came back' }),
  'mail-on-its-way': letter({
    template: 'on_its_way',
    paidWith: { network: 'gocardless', method: 'bank', card: null },
  }),
  'mail-failure': letter({ template: 'failure' }),
  'mail-long': letter({ amountMinor: '987654321125', currency: 'KWD' }),
}
