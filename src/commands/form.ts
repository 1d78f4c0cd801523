import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import { escape } from '../http/html.ts'
import type { FormFields } from '../input/form-fields.ts'
import { lookUpKey, type Caller } from '../merchants/authenticate.ts'
import { openFormSecret } from '../merchants/form-secret.ts'
import { readKey } from '../merchants/key-format.ts'
import type { Secrets } from '../merchants/sealed/secrets.ts'
import { mayBeSigned, mayShowTitle, signedFields, signForm } from '../payments/api/form-signature.ts'
import { formAsJson, inFormWords } from '../payments/api/read-form.ts'
import { readPayment } from '../payments/api/read-payment.ts'
import { openKeyRing } from './reach/open-key-ring.ts'
import { withDatabase } from './reach/with-database.ts'
import { flag, readArguments, text, UsageMistake, type Parsed } from './terminal/arguments.ts'
import { print } from './terminal/print.ts'

export const formHelp = `florin form --key fk_test_… --amount 20.00 [--currency GBP] [--tx-ref REF]
            [--callback-url URL] [--return-url URL] [--title TEXT]
            [--description TEXT] [--logo URL] [--meta JSON] [--project NAME]
            [--email ADDRESS] [--first-name NAME] [--last-name NAME]
            [--sign email,first_name,last_name] [--json]

  Prints a whole form for a web page that starts one payment at BASE_URL. It is
  held against the rules and the bounds of its key first, and signed when the
  key takes signed forms only. What is left out of e-mail address and names is
  for the customer to type.

  --key    a form key: it can be read by everybody who opens the page, so here
           it may stand in the command
  --sign   what of the customer's is signed too, and can't be changed then
  --json   the address and the fields, for a program`

type Asked = { readonly key: string; readonly fields: ReadonlyMap<string, string>; readonly alsoSign: string }

export async function form(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, options)
  const asked = readAsked(parsed)
  const fields = await withDatabase(config, async (db) => {
    const holder = await keyHolder(db, asked.key)
    const whole = complete(holder, asked)
    const isSigned = holder.sealedFormSecret !== undefined
    return isSigned ? sign((await openKeyRing(config, db)).secrets, holder, whole) : whole
  })
  const action = `${config.BASE_URL}/ext_transfer`
  if (flag(parsed, 'json')) return print(JSON.stringify({ action, fields: Object.fromEntries(fields) }))
  print(drawForm(action, fields))
}

const textOption = { type: 'string' } as const
const given = [...signedFields.filter((name) => name !== 'secret_key'), ...mayBeSigned]
const options = {
  ...Object.fromEntries(given.map((name) => [optionOf(name), textOption])),
  key: textOption,
  sign: textOption,
  json: { type: 'boolean' },
} as const

function optionOf(field: string): string {
  return field.replaceAll('_', '-')
}

function readAsked(parsed: Parsed): Asked {
  const key = text(parsed, 'key')
  if (key === undefined) throw new UsageMistake('--key is required: florin key create --kind form --hosts …')
  if (readKey(key)?.kind === 'secret')
    throw new UsageMistake(
      'A secret key does not belong into a page: florin key create --kind form --hosts …',
    )
  if (text(parsed, 'amount') === undefined)
    throw new UsageMistake('--amount is required, such as --amount 20.00')
  const names = (text(parsed, 'sign') ?? '').split(/[\s,]+/).filter(Boolean)
  const odd = names.find((name) => !mayBeSigned.some((each) => each === name))
  if (odd !== undefined)
    throw new UsageMistake(`--sign must be some of ${mayBeSigned.join(', ')}, but has "${odd}"`)
  const missing = names.find((name) => text(parsed, optionOf(name)) === undefined)
  if (missing !== undefined) throw new UsageMistake(`--sign ${missing} needs --${optionOf(missing)}`)
  const values = given.flatMap((name): [string, string][] => {
    const value = text(parsed, optionOf(name))
    return value === undefined ? [] : [[name, value]]
  })
  return { key, fields: new Map(values), alsoSign: names.join(' ') }
}

const titles = ['title', 'description', 'logo']

async function keyHolder(db: Database, key: string): Promise<Caller> {
  const found = await lookUpKey(db, key)
  if (found?.kind === 'form') return found as Caller
  throw new Refusal('unauthorized', 'This form key is not known, or has ended')
}

/** The fields of the form but its signature. It was held against every rule: a mistake is told now, and not to a customer. */
function complete(holder: Caller, { key, fields, alsoSign }: Asked): FormFields {
  if (alsoSign !== '' && holder.sealedFormSecret === undefined)
    throw new UsageMistake(
      '--sign is for keys that take signed forms: florin key create --kind form --signed …',
    )
  if (!mayShowTitle(holder) && titles.some((name) => fields.has(name)))
    throw new UsageMistake(
      'This key shows no title, description or logo: make one with --signed or --allow-title',
    )
  const prefix = holder.bounds?.txRefPrefix ?? 'form-'
  const whole = new Map([
    ['secret_key', key],
    ['tx_ref', `${prefix}${randomBytes(6).toString('hex')}`],
    ['currency', 'GBP'],
    ...fields,
    ...(alsoSign === '' ? [] : ([['form_signed', alsoSign]] as const)),
  ])
  const typed = new Map([['email', 'ada@example.com'], ['first_name', 'Ada'], ...whole])
  const body = formAsJson(typed)
  try {
    readPayment(JSON.parse(body), holder, body)
  } catch (error) {
    throw error instanceof Refusal ? inFormWords(error) : error
  }
  return whole
}

function sign(secrets: Secrets, holder: Caller, fields: FormFields): FormFields {
  return new Map([...fields, ['form_signature', signForm(openFormSecret(secrets, holder) ?? '', fields)]])
}

const labels = { email: 'E-mail', first_name: 'First name', last_name: 'Last name' } as const

function drawForm(action: string, fields: FormFields): string {
  const hidden = [...fields].map(
    ([name, value]) => `  <input type="hidden" name="${name}" value="${escape(value)}" />`,
  )
  const typed = mayBeSigned
    .filter((name) => !fields.has(name))
    .map((name) => {
      const type = name === 'email' ? 'email' : 'text'
      const required = name === 'last_name' ? '' : ' required'
      return `  <label>${labels[name]} <input type="${type}" name="${name}"${required} /></label>`
    })
  const start = `<form method="post" action="${escape(action)}" accept-charset="utf-8">`
  return [start, ...hidden, ...typed, '  <button>Pay</button>', '</form>'].join('\n')
}
