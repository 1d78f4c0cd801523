import { html, type Html } from '../../http/html.ts'
import { searchedMax, type MailPage, type SentMail } from '../../notifications/mail/read-mailbox.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, emptyList, filters, pager, pill, table, type Tone } from '../parts/lists.ts'
import { head, timeAgo } from '../parts/parts.ts'

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
  if (place.mode === 'test') return 'Mail of test mode goes nowhere. This is what would have been sent.'
  return dashboard.hasMailServer
    ? 'What was written to your customers and to you.'
    : 'There is no mail server, so mail waits here, for a week at most. Whoever runs this Florin sets SMTP_URL.'
}

function list(ask: MemberAsk, mails: readonly SentMail[]): Html {
  const now = ask.people.now()
  return table({
    label: 'Mails',
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

const said: Readonly<Record<SentMail['state'], readonly [word: string, tone: Tone]>> = {
  kept: ['stayed here', 'calm'],
  waiting: ['waiting', 'calm'],
  delivered: ['sent', 'good'],
  failed: ['failed', 'bad'],
  skipped: ['over the limit', 'warn'],
  paused: ['waits', 'warn'],
}

export function mailPill(state: SentMail['state']): Html {
  return pill(...said[state])
}

function nothing({ place }: MemberAsk, path: string, isFiltered: boolean): Html {
  if (!isFiltered)
    return emptyList(
      'No mail yet',
      'Customers get a receipt when they have paid, and you are written to when something needs you. Each mail appears here.',
    )
  const where =
    place.mode === 'test'
      ? `among the newest ${searchedMax.toLocaleString('en-GB')} mails of test mode`
      : 'that is here'
  return emptyList(
    'No mail to this address',
    `No mail ${where} goes to it. It is found by the whole address.`,
    html`<a class="button plain" href="${path}">Show all</a>`,
  )
}
