import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import type { NotificationInFull } from '../../core/notifications/bulk/find-notifications.ts'
import type { SentMail } from '../../core/notifications/mail/read-mailbox.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, head, press, formatExactly, shopTime } from '../parts/parts.ts'
import { codeBox, facts, section, tabs, timeline } from '../parts/things.ts'
import { addressee, mailPill } from './mails-page.ts'

// One e-mail, as HTML or as text. The HTML is in a sandboxed frame.

const styles = [readStylesheet(new URL('./mailbox.css', import.meta.url))]

type Attempts = NotificationInFull['attempts']

export function mailPage(ask: MemberAsk, mail: SentMail, attempts: Attempts): Content {
  const path = `${ask.place.home}/mailbox/${mail.id}`
  const asText = ask.query['as'] === 'text'
  const mayResend = ask.place.mode === 'live' && hasRight(ask.place.role, 'notifications.resend')
  return {
    title: mail.subject,
    styles,
    hasFrame: !asText,
    body: html`${head(mail.subject, {
      crumb: crumb(`${ask.place.home}/mailbox`, 'Mailbox'),
      ...(mayResend && { action: press(ask, `${path}/do/resend`, 'Send again') }),
    })}
      ${facts([
        ['State', mailPill(mail.state)],
        ['To', addressee(mail)],
        ['From', `${mail.from.name} <${mail.from.address}>`],
        ['Reply to', mail.replyTo],
        ['About', mail.event],
        ['Payment', mail.number === null ? undefined : paymentLink(ask, mail.number)],
        ['Created', formatExactly(new Date(mail.at), shopTime(ask))],
        ['Attachment', mail.enclosed === undefined ? undefined : attachment(path, mail.enclosed)],
      ])}
      ${tabs('View', [
        { label: 'HTML', to: path, isHere: !asText },
        { label: 'Text', to: `${path}?as=text`, isHere: asText },
      ])}
      ${
        asText
          ? codeBox(mail.text, 'The mail as text')
          : html`<iframe
              class="mail-frame"
              title="The mail as it is drawn"
              src="${path}/html"
              sandbox
              referrerpolicy="no-referrer"
            ></iframe>`
      }
      <p class="quiet small">Rebuilt from stored data, with your current name and logo.</p>
      ${attempts.length > 0 && tries(ask, attempts)}`,
  }
}

/** Opens in the browser, or downloads under its name. */
function attachment(path: string, name: string): Html {
  const to = `${path}/attachment`
  return html`<a href="${to}" target="_blank" rel="noopener">${name}</a> · <a href="${to}" download="${name}">Download</a>`
}

function paymentLink({ place }: MemberAsk, number: string): Html {
  return html`<a href="${place.home}/payments/${number}">Open</a>`
}

function tries(ask: MemberAsk, attempts: Attempts): Html {
  const happenings = attempts.map(({ at, status, error, answer }, index) => ({
    at: new Date(at),
    title: `Attempt ${index + 1}: ${error ?? 'accepted by the mail server'}`,
    tone: error === null ? ('good' as const) : ('bad' as const),
    detail: answer ?? (status === null ? undefined : String(status)),
  }))
  return section('Attempts', timeline(happenings.toReversed(), shopTime(ask)))
}
