import { createdPlace, readPage } from '../../../platform/input/cursor.ts'
import { Query } from '../../../platform/input/fields.ts'
import type { MailFacts } from './compose-mail.ts'
import {
  findKeptMail,
  findMail,
  listKeptMails,
  listMails,
  type KeptMail,
  type StoredMail,
} from './mailbox-store.ts'
import {
  drawn,
  encloseIn,
  findSender,
  writeMail,
  type Attachment,
  type Enclosed,
  type Mail,
  type MailSender,
} from './send-mail.ts'
import { installation } from '../../audit/audit.ts'
import type { Mode } from '../../merchants/mode.ts'

// Mail that stayed here, and for a merchant's people all mail in its name: written when it is read, from the facts that were
// kept.

export type MailInBox = Mail & Pick<KeptMail, 'mode' | 'event' | 'number'> & { readonly at: string }

/** A mail with its status, and the name of its attachment. */
export type SentMail = MailInBox &
  Pick<StoredMail, 'state' | 'finished_at' | 'next_try_at'> & { readonly enclosed: string | undefined }

export type MailPage = { readonly mails: readonly SentMail[]; readonly nextCursor: string | undefined }

type Of = { readonly merchantId: number; readonly mode: Mode }

export type Mailbox = {
  /** Newest first. */
  /** Newest first. */
  list(of: { merchantId: number; mode: Mode }, limit?: number): Promise<MailInBox[]>
  find(of: { merchantId: number; mode: Mode; id: string }): Promise<MailInBox | undefined>
  /** Kept, sent or failed, newest first; takes address and cursor. E-mails to people who sign in are not among them. */
  browse(of: Of, query: unknown): Promise<MailPage>
  read(of: Of & { id: string }): Promise<SentMail | undefined>
  /** Its attachment; undefined also if there is no such mail. */
  readAttachment(of: Of & { id: string }): Promise<Attachment | undefined>
}

const shownDefault = 100
const perPage = 25
/** Among so many mails of test mode an address is looked for. */
export const searchedMax = 10_000
const mailNames = /^[0-9A-Za-z_-]{1,60}$/

export function makeMailbox(
  sender: Pick<
    MailSender,
    'db' | 'findMerchant' | 'from' | 'baseUrl' | 'secrets' | 'attach' | 'networkLabel' | 'writers'
  >,
): Mailbox {
  async function write(kept: KeptMail): Promise<MailInBox[]> {
    const merchant = await findSender(sender, kept.merchant_id)
    if (!merchant) return []
    const { mode, event, number, created_at: at } = kept
    return [{ ...writeMail(sender, kept, merchant), mode, event, number, at }]
  }

  /** Only a merchant's mails: an e-mail to a person holds a link that signs its reader in. */
  async function writeSent(stored: StoredMail): Promise<SentMail[]> {
    if (isEmail(stored)) return []
    const { state, finished_at, next_try_at } = stored
    const enclosed = (await enclosedIn(stored))?.filename
    return (await write(stored)).map((mail) => ({ ...mail, state, finished_at, next_try_at, enclosed }))
  }

  async function enclosedIn(stored: StoredMail): Promise<Enclosed | undefined> {
    const merchant = isEmail(stored) ? undefined : await findSender(sender, stored.merchant_id)
    return merchant && encloseIn(sender, stored, merchant)
  }

  /** The delivery's placeholder for the merchant's own address. */
  async function targetOf({ merchantId }: Of, address: string): Promise<string> {
    const own = (await findSender(sender, merchantId))?.email ?? ''
    return own !== '' && own.toLowerCase() === address.toLowerCase() ? 'merchant' : address
  }

  return {
    async browse(of, query) {
      const fields = new Query(query)
      const address = fields.text('address', { max: 254 })
      const { rows, nextCursor } = await readPage(
        fields,
        { names: mailNames, positionOf: createdPlace, limit: perPage },
        async ({ after: last, limit }) => {
          const target = address === undefined ? undefined : await targetOf(of, address)
          const after = last && { at: last.at, id: last.name }
          return listMails(sender.db, { ...of, target, after }, searchedMax, limit)
        },
      )
      return {
        mails: (await Promise.all(rows.map(writeSent))).flat(),
        nextCursor: nextCursor ?? undefined,
      }
    },
    async read(of) {
      const stored = mailNames.test(of.id) ? await findMail(sender.db, of) : undefined
      return stored && (await writeSent(stored))[0]
    },
    async readAttachment(of) {
      const stored = mailNames.test(of.id) ? await findMail(sender.db, of) : undefined
      const enclosed = stored && (await enclosedIn(stored))
      return enclosed && drawn(enclosed)
    },
    async list(of, limit = shownDefault) {
      const kept = await listKeptMails(sender.db, of, limit)
      return (await Promise.all(kept.map(write))).flat()
    },
    async find(of) {
      const kept = await findKeptMail(sender.db, of)
      return kept && (await write(kept))[0]
    },
  }
}

function isEmail({ merchant_id: merchantId, body }: KeptMail): boolean {
  return merchantId === installation || (JSON.parse(body) as MailFacts).template === 'person'
}
