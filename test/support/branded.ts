import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { checkPicture } from '../../src/core/merchants/pictures/check-picture.ts'
import { makePng } from './pictures.ts'
import type { House } from './house.ts'

// A merchant that has said everything about itself.

export const brand = {
  colour: '#7a1fa2',
  website: 'https://books.example',
  supportEmail: 'help@books.example',
  supportPhone: '+44 20 7946 0000',
  address: '1 High Street, London, N1 1AA',
  companyNumber: '01234567',
  vatNumber: 'GB123456789',
  country: 'GB',
  timeZone: 'Europe/London',
  statementDescriptor: 'ADAS BOOKS',
  termsUrl: 'https://books.example/terms',
  privacyUrl: 'https://books.example/privacy',
  legalNoticeUrl: 'https://books.example/legal',
} as const

export async function giveBrand(house: Pick<House, 'db' | 'merchantId'>): Promise<void> {
  const logo = checkPicture(makePng(120, 48))
  if (!logo.ok) throw new Error('The logo was refused')
  await changeBrand(house.db, house.merchantId, { ...brand, logo: logo.picture })
}
