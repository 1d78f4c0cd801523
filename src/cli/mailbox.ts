import type { Mode } from '../core/merchants/mode.ts'
import type { Config } from '../platform/settings/config.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import { installation } from '../core/audit/audit.ts'
import { readMerchant } from '../core/merchants/authenticate.ts'
import type { MailWriter } from '../core/notifications/mail/mail-writer.ts'
import { makeMailbox, type Mailbox, type MailInBox } from '../core/notifications/mail/read-mailbox.ts'
import {
  flag,
  limitOption,
  modeOption,
  readArguments,
  UsageMistake,
  type Parsed,
} from './terminal/arguments.ts'
import { print, printTable, printMore } from './terminal/print.ts'
import { minuteOf } from './terminal/times.ts'
import { whose } from './reach/whose.ts'
import { withSecrets } from './reach/with-database.ts'

export const mailboxHelp = `florin mailbox [--limit 100] [--mode test|live | --people] [--json]
florin mailbox show ID [--mode test|live | --people] [--html]

  Test mail is never sent: it stays here. Live mail waits here until SMTP_URL is
  set. Lists the newest first, or shows one mail as text.

  --limit      how many, 1 to 1000
  --html       print the HTML version
  --mode       test|live (test)
  --people     mail to dashboard users
  --merchant   the merchant's number; not needed while there is only one`

const limitDefault = 100

const common = {
  merchant: { type: 'string' },
  mode: { type: 'string' },
  people: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export async function mailbox(config: Config, args: string[], writers: readonly MailWriter[]): Promise<void> {
  const asked = { config, writers }
  if (args[0] === 'show') return show(asked, args.slice(1))
  const parsed = readArguments(args, { ...common, limit: { type: 'string' } })
  const limit = limitOption(parsed, limitDefault)
  const mails = await withMailbox(asked, parsed, async (box, of) => box.list(of, limit))
  if (flag(parsed, 'json')) return print(JSON.stringify(mails.map(presentMail)))
  printTable(
    ['ID', 'CREATED', 'TO', 'SUBJECT'],
    mails.map(({ id, at, to, subject }) => [id, minuteOf(at), to, subject]),
    {
      empty: flag(parsed, 'people')
        ? 'No mail to dashboard users here.'
        : `No ${modeOption(parsed)} mail here.`,
    },
  )
  printMore(mails, limit)
}

async function show(asked: Asked, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, html: { type: 'boolean' } }, 1)
  const [id] = parsed.words
  if (id === undefined) throw new UsageMistake('Name one: florin mailbox show ID')
  const mail = await withMailbox(asked, parsed, async (box, of) => box.find({ ...of, id }))
  if (!mail) throw new Refusal('not_found', 'Mail not found')
  if (flag(parsed, 'json')) return print(JSON.stringify(presentMail(mail)))
  print(flag(parsed, 'html') ? mail.html : emailOf(mail))
}

/** With the names of the API, for programs. */
function presentMail({ at, ...mail }: MailInBox) {
  return { ...mail, created_at: at }
}

function emailOf({ from, to, subject, at, text: body }: MailInBox): string {
  const head = [
    `From:    ${from.name} <${from.address}>`,
    `To:      ${to}`,
    `Subject: ${subject}`,
    `Date:    ${at.slice(0, 19)}Z`,
  ]
  return `${head.join('\n')}\n\n${body}`
}

type Asked = { readonly config: Config; readonly writers: readonly MailWriter[] }
type Owner = { readonly merchantId: number; readonly mode: Mode }

async function withMailbox<T>(
  { config, writers }: Asked,
  parsed: Parsed,
  work: (box: Mailbox, of: Owner) => Promise<T>,
): Promise<T> {
  const isToPeople = flag(parsed, 'people')
  const mode = isToPeople ? 'live' : modeOption(parsed)
  return withSecrets(config, async ({ db, secrets }) => {
    const box = makeMailbox({
      db,
      secrets,
      writers,
      findMerchant: async (merchantId) => readMerchant(db, merchantId),
      baseUrl: config.BASE_URL,
      from: config.MAIL_FROM || `no-reply@${new URL(config.BASE_URL).hostname}`,
    })
    return work(box, { merchantId: isToPeople ? installation : await whose(db, parsed), mode })
  })
}
