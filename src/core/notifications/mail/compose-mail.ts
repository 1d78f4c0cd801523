import { isolate, unlinked } from '../../../platform/input/isolate.ts'
import { isUnusualCharge, unusualChargeEmail, type UnusualCharge } from './unusual-charge.ts'
import { customerEmail } from './customer-email.ts'
import type { CustomerMail, Context } from './mail-facts.ts'
import { drawHtml, drawText, type Email } from './mail-layout.ts'
import type { MailWriter, ModuleMail } from './mail-writer.ts'
import type { PersonMail } from './person-emails.ts'
import { formatTime } from './format-time.ts'

export type { Context, CustomerMail, ReceiptFacts } from './mail-facts.ts'

// Facts to an e-mail. The facts are kept with the delivery and the e-mail is written when it is sent.

export type PausedMail = {
  readonly template: 'receiver_paused'
  readonly origin: string
  readonly failingSince: string
}

export type ExposedMail = {
  readonly template: 'key_exposed'
  /** Enough of the key to know it by. */
  readonly hint: string
  readonly keyId: string
}

export type CardTestingMail = {
  readonly template: 'card_testing'
  /** Within ten minutes, when it was noticed. */
  readonly declines: number
}

export type MerchantMail = PausedMail | ExposedMail | CardTestingMail | UnusualCharge
export type MailFacts = CustomerMail | MerchantMail | PersonMail

export type Written = { readonly subject: string; readonly text: string; readonly html: string }

/** `writers`: of modules' mails. */
export function composeMail(
  facts: MailFacts | ModuleMail,
  context: Context,
  writers: readonly MailWriter[] = [],
): Written {
  const writer = writers.find(({ templates }) => templates.includes(facts.template))
  const email = writer ? writer.write(facts, context) : emailOf(facts as MailFacts, context)
  return { subject: oneLine(email.subject), text: drawText(email), html: drawHtml(email).text }
}

function emailOf(facts: MailFacts, context: Context): Email {
  if (facts.template === 'receiver_paused') return pausedEmail(facts, context)
  if (facts.template === 'key_exposed') return exposedEmail(facts, context)
  if (facts.template === 'card_testing') return cardTestingEmail(facts, context)
  if (isUnusualCharge(facts)) return unusualChargeEmail(facts, context)
  if (facts.template === 'person') return personEmail(facts, context)
  return customerEmail(facts, context)
}

function pausedEmail(facts: PausedMail, context: Context): Email {
  return {
    language: 'en',
    tone: 'bad',
    subject: `Notifications to ${new URL(facts.origin).host} are paused`,
    from: context.merchantName,
    heading: 'Notifications are paused',
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [
      `Every notification to ${facts.origin} has failed since ${formatTime(facts.failingSince, 'en-GB', context.brand?.timeZone)}, for 120 hours, so Florin has stopped sending. Nothing is lost: notifications to this URL wait.`,
      'When it works again, resume it with POST /api/notifications/resume, or with: florin notifications resume --origin ' +
        `${facts.origin} --mode ${context.isTest ? 'test' : 'live'}`,
    ],
    rows: [
      ['Receiver', facts.origin],
      ['Mode', context.isTest ? 'test' : 'live'],
      ['Failing since', formatTime(facts.failingSince, 'en-GB', context.brand?.timeZone)],
    ],
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function exposedEmail(facts: ExposedMail, context: Context): Email {
  return {
    language: 'en',
    tone: 'bad',
    subject: 'One of your live secret keys is public',
    from: context.merchantName,
    heading: 'One of your live secret keys is public',
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [
      `A web form sent your secret key ${facts.hint}. Anyone who opens that page can read the key, and can create and look up payments in your name. The payment went through.`,
      `Use a form key on the page instead (florin key create --kind form --mode live --hosts YOUR-HOST), then end this key: florin key roll ${facts.keyId} --overlap 0`,
    ],
    rows: [
      ['Key', facts.hint],
      ['Seen', formatTime(context.at, 'en-GB', context.brand?.timeZone)],
    ],
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function cardTestingEmail(facts: CardTestingMail, context: Context): Email {
  return {
    language: 'en',
    tone: 'bad',
    subject: 'Someone is testing cards on your checkout',
    from: context.merchantName,
    heading: 'Someone is testing cards on your checkout',
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [
      `${facts.declines} cards were declined within ten minutes and few payments went through: someone is probably testing stolen cards. Florin has slowed them down, and your customers can still pay. This ends automatically ten minutes after the last attack.`,
      'Check the payments that succeeded since then, and refund any you can’t explain before the cardholders dispute them. If you have a form key on a public page, roll it (florin key roll), and require an account or a basket before a payment.',
    ],
    rows: [
      ['Declined within ten minutes', String(facts.declines)],
      ['Mode', context.isTest ? 'test' : 'live'],
      ['Noticed', formatTime(context.at, 'en-GB', context.brand?.timeZone)],
    ],
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function personEmail(facts: PersonMail, context: Context): Email {
  return {
    language: 'en',
    tone: facts.isGood ? 'good' : 'bad',
    subject: facts.subject,
    from: context.merchantName,
    heading: facts.heading,
    amount: undefined,
    greeting: facts.name === '' ? 'Hello,' : `Hello ${isolate(unlinked(facts.name), 'ltr')},`,
    paragraphs: facts.paragraphs,
    rows: facts.rows,
    links: facts.link ? [[facts.link.label, context.openLink?.(facts.link.sealed) ?? '']] : [],
    footer: 'Florin never asks for your password by e-mail.',
    test: undefined,
  }
}

/** A header is one line: whatever a name holds, it can't begin another. */
export function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}
