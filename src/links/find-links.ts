import { Refusal } from '../errors/refusals.ts'
import { makeCursor, pageLimit, readCursor } from '../input/cursor.ts'
import { Query } from '../input/fields.ts'
import { findPayments } from '../payments/find-payment.ts'
import type { PaymentRow } from '../payments/find-payment.ts'
import { idShape, type LinkKey } from './address.ts'
import { listLinkPayments } from './link-payment-store.ts'
import type { LinkState } from './link-state.ts'
import type { LinkPlace, Linking } from './linking.ts'
import { findLink, listLinks, type LinkRow } from './store.ts'

export type { LinkRow } from './store.ts'

export type LinkPage = { readonly links: readonly LinkRow[]; readonly nextCursor: string | undefined }

/** What is empty is not looked at. */
export type LinkFilter = {
  /** Any part of the title, whatever its case. */
  readonly search: string
  readonly state: LinkState | ''
  readonly kind: LinkRow['kind'] | ''
}

/** A page of the newest. */
export async function readLinks(
  { paying }: Linking,
  place: LinkPlace,
  { cursor, search, state, kind }: LinkFilter & { readonly cursor: string | undefined },
): Promise<LinkPage> {
  const fields = new Query({ cursor })
  const last = readCursor(fields, idShape)
  fields.checkAll()
  const rows = await listLinks(paying.db, {
    merchantId: place.merchant.id,
    mode: place.mode,
    search,
    kind,
    state: state === '' ? undefined : { is: state, at: paying.now() },
    after: last && { createdAt: last.at, id: last.name },
    limit: pageLimit.default + 1,
  })
  const links = rows.slice(0, pageLimit.default)
  const end = rows.length > pageLimit.default ? links.at(-1) : undefined
  return { links, nextCursor: end && makeCursor({ at: end.created_at, name: end.id }) }
}

/** Refuses one of another merchant or of the other mode as one that does not exist. */
export async function getLink({ paying }: Linking, place: LinkPlace, id: string): Promise<LinkRow> {
  const link = idShape.test(id) ? await findLink(paying.db, place.merchant.id, id) : undefined
  if (link?.mode !== place.mode) throw new Refusal('not_found', 'Link not found')
  return link
}

/** For customers, who know its address alone. */
export async function findLinkAt(
  { paying }: Linking,
  { merchantId, id }: LinkKey,
): Promise<LinkRow | undefined> {
  return findLink(paying.db, merchantId, id)
}

export type LinkPayments = {
  readonly payments: readonly PaymentRow[]
  readonly nextCursor: string | undefined
}

const txRefShape = /^link_[0-9A-Za-z]{16}$/

/** The payments of a link, a page of the newest. */
export async function readLinkPayments(
  { paying }: Linking,
  link: LinkRow,
  query: unknown,
): Promise<LinkPayments> {
  const fields = new Query(query)
  const last = readCursor(fields, txRefShape)
  fields.checkAll()
  const after = last && { createdAt: last.at, txRef: last.name }
  const rows = await listLinkPayments(paying.db, link.merchant_id, {
    linkId: link.id,
    after,
    limit: pageLimit.default + 1,
  })
  const shown = rows.slice(0, pageLimit.default)
  const txRefs = shown.map(({ tx_ref }) => tx_ref)
  const found = await findPayments(paying.db, link.merchant_id, link.mode, txRefs)
  const end = rows.length > pageLimit.default ? shown.at(-1) : undefined
  return {
    payments: txRefs.flatMap((txRef) => found.get(txRef) ?? []),
    nextCursor: end && makeCursor({ at: end.created_at, name: end.tx_ref }),
  }
}
