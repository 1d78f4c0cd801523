import { html, type Html } from '../../platform/http/html.ts'
import { searchedMax, type MailPage, type SentMail } from '../../core/notifications/mail/read-mailbox.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, emptyList, filters, pager, pill, table, type Tone } from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'

type Model = MailPage & { readonly address: string; readonly isFirst: boolean }

export function mailsPage(ask: MemberAsk, { mails, nextCursor, address, isFirst }: Model): Content {
  const path = `${ask.place.home}/mailbox`
  const isFiltered = address !== ''
  return {
    title: 'Mailbox',
    body: html`${head('Mailbox', { lead: leadOf(ask) })}
      ${
        (isFiltered || mails.length > 0) &&
        filters(path, [{ name: 'address', label: 'Address', type: 'email', value: address }], isFiltered)
      }
      ${mails.length === 0 ? nothing(ask, path, isFiltered) : list(ask, mails)}
      ${pager(
        isFirst ? undefined : addressOf(path, { address }),
        nextCursor === undefined ? undefined : addressOf(path, { address, cursor: nextCursor }),
      )}`,
  }
}

function leadOf({ place, dashboard }: MemberAsk): string {
  if (place.mode === 'test')
    return 'Florin doesn’t send e-mail in test mode. This is what it would have sent.'
  return dashboard.hasMailServer
    ? 'E-mail sent to your customers and to you.'
    : 'No mail server is set up, so e-mail waits here for up to a week. The operator of this Florin sets SMTP_URL.'
}

function list(ask: MemberAsk, mails: readonly SentMail[]): Html {
  const now = shopTime(ask)
  return table({
    label: 'E-mails',
    rows: mails,
    to: ({ id }) => `${ask.place.home}/mailbox/${id}`,
    columns: [
      { label: 'Subject', draw: ({ subject }) => subject },
      { label: 'To', draw: addressee },
      { label: 'State', draw: ({ state }) => mailPill(state) },
      { label: 'When', draw: ({ at }) => timeAgo(new Date(at), now) },
    ],
  })
}

export function addressee({ to }: Pick<SentMail, 'to'>): string {
  return to === '' ? 'You (no address set)' : to
}

const labels: Readonly<Record<SentMail['state'], readonly [word: string, tone: Tone]>> = {
  kept: ['not sent (test)', 'calm'],
  waiting: ['waiting', 'calm'],
  delivered: ['sent', 'good'],
  failed: ['failed', 'bad'],
  skipped: ['over the limit', 'warn'],
  paused: ['waiting for a mail server', 'warn'],
}

export function mailPill(state: SentMail['state']): Html {
  return pill(...labels[state])
}

function nothing({ place }: MemberAsk, path: string, isFiltered: boolean): Html {
  if (!isFiltered)
    return emptyList(
      'No e-mail yet',
      'Customers get a receipt when they pay, and you get an alert when something needs you. Every e-mail appears here.',
    )
  const where =
    place.mode === 'test'
      ? `among the latest ${searchedMax.toLocaleString('en-GB')} e-mails in test mode`
      : 'here'
  return emptyList(
    'No e-mail to this address',
    `No e-mail ${where} was sent to it. Enter the complete address.`,
    html`<a class="button plain" href="${path}">Show all</a>`,
  )
}
