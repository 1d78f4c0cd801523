import { Refusal } from '../../platform/errors/refusals.ts'
import { readNotification } from '../../core/notifications/bulk/find-notifications.ts'
import { resendById } from '../../core/notifications/bulk/resend-many.ts'
import type { SentMail } from '../../core/notifications/mail/read-mailbox.ts'
import { byPerson } from '../people/people.ts'
import type { MemberAsk, Route } from '../ask.ts'
import { forMember, go, show } from '../define-route.ts'
import { given, textIn } from '../list-filter.ts'
import { mailPage } from './mail-page.ts'
import { mailsPage } from './mails-page.ts'

// A shop's e-mails, sent or not. E-mails to people who sign in belong to the installation and contain sign-in links, so they
// never appear here.

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })

async function mailOf(ask: MemberAsk): Promise<SentMail> {
  const id = ask.params['mail'] ?? ''
  const mail = await ask.dashboard.notifications.mailbox.read({ ...scopeOf(ask), id })
  if (!mail) throw new Refusal('not_found')
  return mail
}

export const mailboxRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/mailbox',
    'mailbox.view',
    async (ask) => {
      const address = textIn(ask.query, 'address', 254)
      const cursor = ask.query['cursor']
      const { mailbox } = ask.dashboard.notifications
      const page = await mailbox.browse(scopeOf(ask), given({ address, cursor }))
      return show(mailsPage(ask, { ...page, address, isFirst: cursor === undefined }))
    },
    { nav: { label: 'Mailbox', order: 58, group: 'Developers' } },
  ),
  forMember('GET', '/mailbox/:mail', 'mailbox.view', async (ask) => {
    const mail = await mailOf(ask)
    const { attempts } = await readNotification(ask.core.db, { ...scopeOf(ask), id: mail.id })
    return show(mailPage(ask, mail, attempts))
  }),
  forMember('GET', '/mailbox/:mail/html', 'mailbox.view', async (ask) => ({
    kind: 'framed_text',
    type: 'text/html; charset=utf-8',
    body: (await mailOf(ask)).html,
  })),
  forMember('GET', '/mailbox/:mail/attachment', 'mailbox.view', async (ask) => {
    const id = ask.params['mail'] ?? ''
    const attachment = await ask.dashboard.notifications.mailbox.readAttachment({ ...scopeOf(ask), id })
    if (!attachment) throw new Refusal('not_found')
    return { kind: 'framed_text', type: attachment.contentType, body: attachment.content }
  }),
  forMember('POST', '/mailbox/:mail/do/resend', 'notifications.resend', async (ask) => {
    const { id, mode } = await mailOf(ask)
    // Test mode sends no e-mail.
    if (mode === 'test') throw new Refusal('not_found')
    const by = byPerson(ask.own.person.id, ask.visitor)
    await resendById(ask.core.db, { ...scopeOf(ask), id }, by, ask.dashboard.notifications.now())
    return { ...go(`${ask.place.home}/mailbox/${id}`), notice: 'mail_resent' }
  }),
]
