import { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Database } from '../../../platform/database/database.ts'
import type { FindMerchant, Merchant } from '../../merchants/authenticate.ts'
import { installation } from '../../audit/audit.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { composeMail, oneLine, type Context, type MailFacts } from './compose-mail.ts'
import type { MailWriter } from './mail-writer.ts'
import type { KeptMail } from './mailbox-store.ts'
import { installationSender, openLink } from './person-emails.ts'
import { causeOf } from '../../../platform/outbound/failure-of.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import { countMailsBefore } from './sent-mail-store.ts'
import type { Claim } from '../store.ts'

// One try to send a mail. In test mode it is kept for the mailbox instead; of live mode it waits until there is a mail server.

export const mailsPerDayToOneAddress = 20
/** Well below a mail's lease: no other worker may start while this mail could still be accepted. */
export const mailTimeoutMs = 60_000

export type MailSender = {
  readonly db: Database
  readonly now: () => Date
  /** They open the links of e-mails to people. */
  readonly secrets: Secrets
  readonly findMerchant: FindMerchant
  /** The address that mail comes from. */
  readonly from: string
  readonly baseUrl: string
  readonly networkLabel?: Context['networkLabel']
  /** A mail's attachment, drawn from its facts when it is sent or viewed. */
  readonly attach?: Attach | undefined
  /** Of modules' mails. */
  readonly writers: readonly MailWriter[]
  /** Undefined without a mail server. */
  readonly post: PostMail | undefined
}

export type Attachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
}

export type Attached = { readonly facts: MailFacts; readonly context: Context }
/** Drawing takes 20 ms of processor time, so it isn't done to learn the name. */
export type Enclosed = Omit<Attachment, 'content'> & { readonly draw: () => Promise<Buffer> }
export type Attach = (mail: Attached) => Enclosed | undefined

export type Mail = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  /** Where answers go: the merchant's, not ours. */
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachment?: Attachment | undefined
}

export type PostMail = (mail: Mail) => Promise<void>

export async function sendMail(sender: MailSender, claim: Claim): Promise<Outcome> {
  const began = performance.now()
  const end = (verdict: Outcome['verdict'], detail: Partial<Outcome> = {}): Outcome => ({
    verdict,
    ms: Math.round(performance.now() - began),
    status: null,
    error: null,
    answer: null,
    ...detail,
  })
  const merchant = await findSender(sender, claim.merchant_id)
  if (!merchant) return end('gone', { error: 'no_merchant' })
  if (claim.mode === 'test' || addressOf(claim, merchant) === '') return end('kept')
  if (!sender.post) return end('waits')
  if ((await countMailsBefore(sender.db, claim, sender.now())) >= mailsPerDayToOneAddress)
    return end('skipped')
  const mail = writeMail(sender, claim, merchant)
  try {
    const enclosed = encloseIn(sender, claim, merchant)
    await sender.post({ ...mail, attachment: enclosed && (await drawn(enclosed)) })
    return end('delivered')
  } catch (error) {
    return end(isFinal(error) ? 'gone' : 'failed', smtpAnswer(error))
  }
}

/** The sender's name. */
export async function findSender(
  { findMerchant }: Pick<MailSender, 'findMerchant'>,
  merchantId: number,
): Promise<Pick<Merchant, 'id' | 'name' | 'email' | 'brand'> | undefined> {
  return merchantId === installation ? installationSender : findMerchant(merchantId)
}

export function writeMail(
  sender: Pick<MailSender, 'from' | 'baseUrl' | 'secrets' | 'networkLabel' | 'writers'>,
  of: Pick<KeptMail, 'id' | 'mode' | 'target' | 'body' | 'created_at'>,
  merchant: Pick<Merchant, 'id' | 'name' | 'email' | 'brand'>,
): Mail {
  const facts = JSON.parse(of.body) as MailFacts
  const context = contextOf(sender, of, merchant)
  const { brand } = merchant
  const isToCustomer = of.target !== 'merchant'
  return {
    id: of.id,
    from: { name: oneLine(merchant.name), address: sender.from },
    to: addressOf(of, merchant),
    ...(isToCustomer && brand.supportEmail !== undefined && { replyTo: brand.supportEmail }),
    ...composeMail(facts, context, sender.writers),
  }
}

/** Empty: the merchant has none. */
function addressOf({ target }: Pick<KeptMail, 'target'>, { email }: Pick<Merchant, 'email'>): string {
  return target === 'merchant' ? (email ?? '') : target
}

export function encloseIn(
  sender: Pick<MailSender, 'attach' | 'baseUrl' | 'secrets' | 'networkLabel'>,
  of: Pick<KeptMail, 'id' | 'mode' | 'body' | 'created_at'>,
  merchant: Pick<Merchant, 'id' | 'name' | 'brand'>,
): Enclosed | undefined {
  return sender.attach?.({
    facts: JSON.parse(of.body) as MailFacts,
    context: contextOf(sender, of, merchant),
  })
}

export async function drawn({ draw, ...named }: Enclosed): Promise<Attachment> {
  return { ...named, content: await draw() }
}

function contextOf(
  sender: Pick<MailSender, 'baseUrl' | 'secrets' | 'networkLabel'>,
  of: Pick<KeptMail, 'id' | 'mode' | 'created_at'>,
  { id, name, brand }: Pick<Merchant, 'id' | 'name' | 'brand'>,
): Context {
  return {
    merchantName: name,
    isTest: of.mode === 'test',
    at: of.created_at,
    brand,
    ...(brand.logoId !== undefined && { logoUrl: `${sender.baseUrl}/logo/${id}/${brand.logoId}` }),
    networkLabel: sender.networkLabel,
    openLink: (sealed: string) => openLink(sender.secrets, of.id, sealed),
  }
}

/**
 * A connection per mail: a pool queues a mail again by itself when its connection breaks, and then a mail that was
 * accepted goes out twice.
 */
export function makePostMail(smtpUrl: string, timeoutMs: number = mailTimeoutMs): PostMail {
  return async (mail) => {
    refuseLineBreaks(mail.to)
    // With the first mail: most processes never send one.
    const { createTransport } = await import('nodemailer')
    // Ours, so that it can be cut: a transport that is closed goes on with the mail it has begun.
    const socket = new Socket()
    const transport = createTransport({
      url: smtpUrl,
      socket,
      connectionTimeout: timeoutMs / 6,
      greetingTimeout: timeoutMs / 6,
      socketTimeout: timeoutMs / 3,
      // No test: a second safeguard: none of our e-mails names a file to be read
      disableFileAccess: true,
      // No test: a second safeguard: none of our e-mails names a URL to be fetched
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0])
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('Too slow'), { code: 'ETIMEDOUT' })), timeoutMs)
    })
    try {
      const sent = transport.sendMail({
        messageId: `<${mail.id}@${mail.from.address.split('@')[1] ?? 'localhost'}>`,
        from: mail.from,
        to: { name: '', address: mail.to },
        ...(mail.replyTo !== undefined && { replyTo: { name: mail.from.name, address: mail.replyTo } }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.attachment && { attachments: [mail.attachment] }),
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      await Promise.race([sent, late])
    } finally {
      clearTimeout(timer)
      socket.destroy()
      transport.close()
    }
  }
}

/** Payments refuse them when they are made; nothing that got in another way may become a second header. */
function refuseLineBreaks(address: string): void {
  if (/[\r\n\0,;<>]/.test(address)) {
    throw Object.assign(new Error('Not an address'), {
      code: 'EENVELOPE',
      responseCode: 553,
      command: 'RCPT TO',
    })
  }
}

type SmtpError = {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

// "Sign in first", in all its forms: our trouble, not the mail's.
const signInCodes = new Set([530, 534, 535, 538])

/** The mail server refused this address or this mail permanently; a refusal of us as sender comes earlier. */
function isFinal(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as SmtpError
  if (responseCode < 500 || signInCodes.has(responseCode)) return false
  return code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO')
}

function smtpAnswer(error: unknown): Pick<Outcome, 'status' | 'error' | 'answer' | 'cause'> {
  const { code, responseCode, response } = error as SmtpError
  return {
    status: responseCode ?? null,
    error: code ?? 'mail_failed',
    // Cut in the middle of a letter it could not be stored.
    answer: response?.slice(0, 1024).toWellFormed().replaceAll('\0', '\ufffd') ?? null,
    cause: causeOf(error),
  }
}
