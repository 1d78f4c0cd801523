import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { CustomerPayment } from '../../privacy/personal-rows.ts'

// Personal data in the tables payments, attempts and form_refusals: exported on request, and erased.

export async function findByEmail(
  db: Queryable,
  of: { merchantId: number; email: string; after: string; max: number },
): Promise<CustomerPayment[]> {
  return db.query<CustomerPayment>(
    // No test of "mode in ('live', 'test')": for the index only: there are no other modes
    planEachTime(sql`
      select number, tx_ref, first_name, last_name from payments
      where merchant_id = ${of.merchantId} and mode in ('live', 'test') and lower(email) = lower(${of.email})
        and number > ${of.after}
      order by number limit ${of.max}`),
  )
}

/** Finished payments; the mode is named so that the list's index is used. */
export async function findNamedBefore(
  db: Queryable,
  of: { merchantId: number; mode: 'test' | 'live'; before: Date; max: number; erased: string },
): Promise<(CustomerPayment & { email: string })[]> {
  return db.query(
    planEachTime(sql`
      select number, tx_ref, email, first_name, last_name from payments
      where merchant_id = ${of.merchantId} and mode = ${of.mode} and created_at < ${of.before} and state <> 'pending'
        and email <> ${of.erased}
      order by created_at, number limit ${of.max}`),
  )
}

/** False if the payment has an address already, or isn't pending any more. */
export async function setEmail(
  tx: Transaction,
  { merchantId, number }: { readonly merchantId: number; readonly number: string },
  email: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update payments set email = ${email}, updated_at = now()
    where merchant_id = ${merchantId} and number = ${number} and email = '' and state = 'pending'
    returning number`)
  return rows.length > 0
}

export type Texts = {
  readonly number: string
  readonly callback_url: string | null
  readonly return_url: string | null
  readonly logo: string | null
  readonly title: string | null
  readonly description: string | null
  readonly items: string | null
  readonly invoice_number: string | null
}

export async function listTexts(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<Texts[]> {
  return tx.query<Texts>(sql`
    select number, callback_url, return_url, logo, title, description, items::text as items, invoice_number
    from payments
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by number for update`)
}

export async function replacePersons(
  tx: Transaction,
  merchantId: number,
  texts: readonly Texts[],
  by: { readonly email: string; readonly name: string },
): Promise<number> {
  const rows = await tx.query(sql`
    update payments
    set email = ${by.email}, first_name = ${by.name}, last_name = ${by.name}, callback_url = new.callback_url,
        return_url = new.return_url, logo = new.logo, title = new.title, description = new.description, meta = null,
        items = new.items::json, invoice_number = new.invoice_number,
        saving = (jsonb_set(saving::jsonb - 'customerRef', '{asked,customerRef}', '"erased"', false))::json
    from json_to_recordset(${JSON.stringify(texts)}) as new (
      number text, callback_url text, return_url text, logo text, title text, description text, items text,
      invoice_number text)
    where payments.merchant_id = ${merchantId} and payments.number = new.number
    returning payments.number`)
  return rows.length
}

/** Finished attempts only: those in flight are still looked up. */
export async function forgetTraces(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<number> {
  const rows = await tx.query(sql`
    update attempts set address_hash = null, card_fingerprint = null, challenged_from = null, page_url = null
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
      and state in ('succeeded', 'declined', 'abandoned', 'surplus', 'returned', 'left_open', 'not_sent')
    returning number`)
  return rows.length
}

export async function readPayments(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(payments) as row from payments
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by created_at, number`)
  return rows.map(({ row }) => row)
}

export async function readAttempts(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(attempts) as row from attempts
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by number, attempt`)
  return rows.map(({ row }) => row)
}

export type RefusedForm = {
  readonly mode: string
  readonly at: string
  readonly request_id: string
  readonly message: string
  readonly errors: string | null
}

/** The newest hundred of each mode: no more are kept. */
export async function listRefusedForms(db: Queryable, merchantId: number): Promise<RefusedForm[]> {
  return db.query<RefusedForm>(sql`
    select mode, at, request_id, message, errors::text as errors from form_refusals
    where merchant_id = ${merchantId}`)
}

export async function replaceRefusedForm(
  tx: Transaction,
  merchantId: number,
  form: RefusedForm,
): Promise<void> {
  await tx.query(sql`
    update form_refusals set message = ${form.message}, errors = ${form.errors}::json
    where merchant_id = ${merchantId} and mode = ${form.mode} and at = ${form.at}::timestamptz
      and request_id = ${form.request_id}`)
}
