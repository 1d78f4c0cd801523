import type { Transaction } from '../../../platform/database/database.ts'
import { installation } from '../../audit/audit.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import type { PersonEmail } from '../../../platform/outbound/person-email.ts'
import { Unsealable, type Place, type Secrets } from '../../../platform/secrets/secrets.ts'
import { drawDeliveryId } from '../delivery-id.ts'
import type { Outbox } from '../outbox.ts'
import { mailOrigin } from '../queues.ts'

// The installation's own e-mails to people who sign in to it, in the queue of all mail: the installation is merchant 0
// there, as in the audit log. A link in an e-mail signs its reader in, so it is stored sealed until the e-mail is
// written.

/** As it is stored with the delivery. */
export type PersonMail = Omit<PersonEmail, 'to' | 'event' | 'link'> & {
  readonly template: 'person'
  readonly link?: { readonly label: string; readonly sealed: string }
}

/** The installation's name to its people. */
export const installationSender = { id: installation, name: 'Florin', email: null, brand: plainBrand }

type Way = { readonly outbox: Outbox; readonly secrets: Secrets; readonly hasMailServer: boolean }

/** Without a mail server an e-mail is in the mailbox at once: florin mailbox --people. */
export function makeSendEmail({ outbox, secrets, hasMailServer }: Way) {
  return async (tx: Transaction, email: PersonEmail): Promise<void> => {
    const id = drawDeliveryId('msg')
    const { to, event, link, ...facts } = email
    const sealed = link && secrets.seal(placeOf(id), Buffer.from(link.url)).toString('base64')
    const mail: PersonMail = {
      template: 'person',
      ...facts,
      ...(link && sealed !== undefined && { link: { label: link.label, sealed } }),
    }
    await outbox.write(tx, [
      {
        merchant_id: installation,
        id,
        kind: 'mail',
        mode: 'live',
        event,
        number: null,
        target: to,
        origin: mailOrigin,
        body: JSON.stringify(mail),
        state: hasMailServer ? 'waiting' : 'kept',
      },
    ])
  }
}

/** The link as it is to be written into the e-mail. One that no key opens any more is over anyway. */
export function openLink(secrets: Secrets, id: string, sealed: string): string {
  try {
    return secrets.open(placeOf(id), Buffer.from(sealed, 'base64')).toString()
  } catch (error) {
    if (error instanceof Unsealable) return '(This link has expired. Request a new one.)'
    throw error
  }
}

function placeOf(id: string): Place {
  return { table: 'deliveries', key: `${installation} ${id}`, purpose: 'link of a letter' }
}
