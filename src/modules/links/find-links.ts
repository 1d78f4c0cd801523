import { Refusal } from '../../platform/errors/refusals.ts'
import { createdPlace, pageLimit, readPage, type CursorPosition } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { findPayments } from '../../core/payments/find-payment.ts'
import type { PaymentRow } from '../../core/payments/find-payment.ts'
import { idShape, type LinkKey } from './address.ts'
import { listLinkPayments, type LinkPaymentRow } from './link-payment-store.ts'
import type { LinkState } from './link-state.ts'
import type { LinkPlace, Linking } from './linking.ts'
import { findLink, listLinks, type LinkRow } from './store.ts'

export type { LinkRow } from './store.ts'

export type LinkPage = { readonly links: readonly LinkRow[]; readonly nextCursor: string | undefined }

/** Empty filters are ignored. */
export type LinkFilter = {
  /** Any part of the title, whatever its case. */
  readonly search: string
  readonly state: LinkState | ''
  readonly kind: LinkRow['kind'] | ''
}

/** A page of the newest. */
export async function readLinks(
  { db, now }: Linking,
  place: LinkPlace,
  { cursor, search, state, kind }: LinkFilter & { readonly cursor: string | undefined },
): Promise<LinkPage> {
  const fields = new Query({ cursor })
  const { rows: links, nextCursor } = await readPage(
    fields,
    { names: idShape, positionOf: createdPlace, limit: pageLimit.default },
    async ({ after, limit }) =>
      listLinks(db, {
        merchantId: place.merchant.id,
        mode: place.mode,
        search,
        kind,
        state: state === '' ? undefined : { is: state, at: now() },
        after: after && { createdAt: after.at, id: after.name },
        limit,
      }),
  )
  return { links, nextCursor: nextCursor ?? undefined }
}

/** Refuses one of another merchant or of the other mode as one that does not exist. */
export async function getLink({ db }: Linking, place: LinkPlace, id: string): Promise<LinkRow> {
  const link = idShape.test(id) ? await findLink(db, place.merchant.id, id) : undefined
  if (link?.mode !== place.mode) throw new Refusal('not_found', 'Link not found')
  return link
}

/** For customers, who know its address alone. */
export async function findLinkAt({ db }: Linking, { merchantId, id }: LinkKey): Promise<LinkRow | undefined> {
  return findLink(db, merchantId, id)
}

export type LinkPayments = {
  readonly payments: readonly PaymentRow[]
  readonly nextCursor: string | undefined
}

const txRefShape = /^link_[0-9A-Za-z]{16}$/

/** The payments of a link, a page of the newest. */
export async function readLinkPayments(
  { db }: Linking,
  link: LinkRow,
  query: unknown,
): Promise<LinkPayments> {
  const fields = new Query(query)
  const positionOf = ({ created_at: at, tx_ref: name }: LinkPaymentRow): CursorPosition => ({ at, name })
  const { rows, nextCursor } = await readPage(
    fields,
    { names: txRefShape, positionOf, limit: pageLimit.default },
    async ({ after, limit }) =>
      listLinkPayments(db, link.merchant_id, {
        linkId: link.id,
        after: after && { createdAt: after.at, txRef: after.name },
        limit,
      }),
  )
  const txRefs = rows.map(({ tx_ref }) => tx_ref)
  const found = await findPayments(db, link.merchant_id, link.mode, txRefs)
  return { payments: txRefs.flatMap((txRef) => found.get(txRef) ?? []), nextCursor: nextCursor ?? undefined }
}
