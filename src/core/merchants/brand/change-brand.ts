import { within, type Queryable } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { bySystem, changed, recordAct, type Actor, type Facts } from '../../audit/audit.ts'
import { contentIdOf, type Picture } from '../pictures/pictures.ts'
import { insertPicture } from '../pictures/picture-store.ts'
import { announceChange, lockMerchant } from '../store.ts'
import { findBrand, upsertBrand, type BrandRow } from './brand-store.ts'
import { brandOf, type Brand } from './brand.ts'
import { readBrand, type BrandChanges } from './read-brand.ts'

const nothing: BrandRow = {
  colour: null,
  website: null,
  support_email: null,
  support_phone: null,
  postal_address: null,
  company_number: null,
  vat_number: null,
  country: null,
  time_zone: null,
  statement_descriptor: null,
  embed_hosts: [],
  languages: [],
  receipt_first: false,
  method_order: [],
  terms_url: null,
  privacy_url: null,
  legal_notice_url: null,
  logo_id: null,
}

/** `logo`: a picture that was checked, or `none` to take it away. */
export async function changeBrand(
  db: Queryable,
  merchantId: number,
  changes: BrandChanges & { readonly logo?: Picture | 'none' },
  by: Actor = bySystem,
): Promise<Brand> {
  const { logo, ...rest } = changes
  const read = readBrand(rest)
  return within(db, async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    const before = (await findBrand(tx, merchantId)) ?? nothing
    const logoId = logo === undefined ? before.logo_id : logo === 'none' ? null : contentIdOf(logo)
    if (logo !== undefined && logo !== 'none' && logoId !== null) {
      await insertPicture(tx, merchantId, { id: logoId, source: null, picture: logo })
    }
    const after = { ...before, ...read, logo_id: logoId }
    await upsertBrand(tx, merchantId, after)
    await announceChange(tx, merchantId)
    const difference = changed(auditFacts(before), auditFacts(after))
    if (difference) {
      await recordAct(tx, merchantId, by, {
        action: 'merchant.changed',
        subject: String(merchantId),
        ...difference,
      })
    }
    return brandOf(after)
  })
}

function auditFacts(row: BrandRow): Facts {
  const { logo_id, ...rest } = row
  return { ...rest, logo: logo_id }
}
