import { createKey, type FreshKey } from '../../src/core/merchants/change-keys.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { FormBounds } from '../../src/core/merchants/form-bounds.ts'
import { signForm } from '../../src/core/payments/api/form-signature.ts'
import { call, type Answer, type House } from './house.ts'
import { paymentRequest } from './payment-request.ts'

// A shop with forms on its pages, and those who send them: customers, and strangers who found its key there.

export type Fields = Record<string, string>

export type FormShop = {
  formKey(bounds?: Partial<FormBounds>, isSigned?: boolean): Promise<FreshKey>
  send(fields: Fields, how?: { readonly from?: string; readonly accept?: string }): Promise<Answer>
  /** How many payments there are with this tx_ref. */
  rowsOf(txRef: string | undefined): Promise<number>
  lookUp(txRef: string | undefined): Promise<Record<string, unknown>>
}

/** The house has to trust 127.0.0.1 as its proxy. */
export function openFormShop(house: House): FormShop {
  let customers = 0
  /** A customer of his own each time, so that no budget is shared by chance. */
  const freshAddress = (): string => {
    customers += 1
    return `198.51.${customers >> 8}.${customers & 255}`
  }
  return {
    async formKey(bounds = {}, isSigned = false) {
      return createKey(house.db, house.merchantId, {
        kind: 'form',
        name: 'web',
        bounds: { hosts: ['shop.example.com'], ...bounds },
        ...(isSigned && { signing: house.secrets }),
      })
    },
    async send(fields, { from = freshAddress(), accept = 'application/json' } = {}) {
      return call(`${house.url}/ext_transfer`, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept, 'x-forwarded-for': from },
      })
    },
    async rowsOf(txRef = '') {
      const rows = await house.db.query(sql`
        select number from payments where merchant_id = ${house.merchantId} and tx_ref = ${txRef}`)
      return rows.length
    },
    async lookUp(txRef = '') {
      return (await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })).json.data
    },
  }
}

export function form({ key }: Pick<FreshKey, 'key'>, changes: Fields = {}): Fields {
  return { secret_key: key, ...(paymentRequest({ amount: '20.00' }) as Fields), ...changes }
}

export function signed(key: FreshKey, changes: Fields = {}, secret = key.formSecret ?? ''): Fields {
  const fields = form(key, changes)
  return { ...fields, form_signature: signForm(secret, new Map(Object.entries(fields))) }
}
