import { findKeptMail, listKeptMails, type KeptMail } from './mailbox-store.ts'
import { findSender, writeMail, type Mail, type MailSender } from './send-mail.ts'
import type { Mode } from '../../merchants/mode.ts'

// Mail that stayed here: written when it is read, from the facts that were kept.

export type MailInBox = Mail & Pick<KeptMail, 'mode' | 'event' | 'number'> & { readonly at: string }

export type Mailbox = {
  /** Newest first. */
  list(of: { merchantId: number; mode: Mode }): Promise<MailInBox[]>
  find(of: { merchantId: number; mode: Mode; id: string }): Promise<MailInBox | undefined>
}

const shownMax = 100

export function makeMailbox(
  sender: Pick<MailSender, 'db' | 'findMerchant' | 'from' | 'baseUrl' | 'secrets'>,
): Mailbox {
  async function write(kept: KeptMail): Promise<MailInBox[]> {
    const merchant = await findSender(sender, kept.merchant_id)
    if (!merchant) return []
    const { mode, event, number, created_at: at } = kept
    return [{ ...writeMail(sender, kept, merchant), mode, event, number, at }]
  }

  return {
    async list(of) {
      const kept = await listKeptMails(sender.db, of, shownMax)
      return (await Promise.all(kept.map(write))).flat()
    },
    async find(of) {
      const kept = await findKeptMail(sender.db, of)
      return kept && (await write(kept))[0]
    },
  }
}
