import type { Config } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import type { FormFields } from '../platform/input/form-fields.ts'
import { lookUpKey, type Caller } from '../core/merchants/authenticate.ts'
import { readKey } from '../core/merchants/key-format.ts'
import { mayBeSigned, mayShowTitle, signedFields } from '../core/payments/api/form-signature.ts'
import { completeForm, drawForm, signedIfNeeded } from '../core/payments/api/write-form.ts'
import { openKeyRing } from './reach/open-key-ring.ts'
import { withDatabase } from './reach/with-database.ts'
import { flag, readArguments, text, UsageMistake, type Parsed } from './terminal/arguments.ts'
import { print } from './terminal/print.ts'

export const formHelp = `florin form --key fk_test_… --amount 20.00 [--currency GBP] [--tx-ref REF]
            [--callback-url URL] [--return-url URL] [--title TEXT]
            [--description TEXT] [--logo URL] [--meta JSON] [--items JSON]
            [--project NAME]
            [--email ADDRESS] [--first-name NAME] [--last-name NAME]
            [--sign email,first_name,last_name] [--json]

  Prints a complete form for a web page that starts one payment at BASE_URL.
  Florin first checks it against the rules and limits of its key, and signs it
  if the key takes signed forms only. The customer fills in the e-mail address
  and names that you leave out.

  --key    a form key: everyone who opens the page can read it, so it is safe in
           the command
  --sign   customer fields to sign too, so that they can't be changed
  --json   print the URL and the fields as JSON`

type FormRequest = {
  readonly key: string
  readonly fields: ReadonlyMap<string, string>
  readonly alsoSign: string
}

export async function form(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, options)
  const asked = readAsked(parsed)
  const fields = await withDatabase(config, async (db) => {
    const holder = await keyHolder(db, asked.key)
    const whole = complete(holder, asked)
    const isSigned = holder.sealedFormSecret !== undefined
    return isSigned ? signedIfNeeded((await openKeyRing(config, db)).secrets, holder, whole) : whole
  })
  const action = `${config.BASE_URL}/ext_transfer`
  if (flag(parsed, 'json')) return print(JSON.stringify({ action, fields: Object.fromEntries(fields) }))
  print(drawForm(action, fields))
}

const textOption = { type: 'string' } as const
const given = [...signedFields.filter((name) => name !== 'secret_key'), 'items', ...mayBeSigned]
const options = {
  ...Object.fromEntries(given.map((name) => [optionOf(name), textOption])),
  key: textOption,
  sign: textOption,
  json: { type: 'boolean' },
} as const

function optionOf(field: string): string {
  return field.replaceAll('_', '-')
}

function readAsked(parsed: Parsed): FormRequest {
  const key = text(parsed, 'key')
  if (key === undefined) throw new UsageMistake('--key is required: florin key create --kind form --hosts …')
  if (readKey(key)?.kind === 'secret')
    throw new UsageMistake(
      "Don't put a secret key into a web page, use a form key: florin key create --kind form --hosts …",
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

const titles = ['title', 'description', 'logo', 'items']

async function keyHolder(db: Database, key: string): Promise<Caller> {
  const found = await lookUpKey(db, key)
  if (found?.kind === 'form') return found as Caller
  throw new Refusal('unauthorized', 'This form key is unknown or no longer valid')
}

/** The fields of the form but its signature. */
function complete(holder: Caller, { key, fields, alsoSign }: FormRequest): FormFields {
  if (alsoSign !== '' && holder.sealedFormSecret === undefined)
    throw new UsageMistake(
      '--sign is for keys that take signed forms: florin key create --kind form --signed …',
    )
  if (!mayShowTitle(holder) && titles.some((name) => fields.has(name)))
    throw new UsageMistake(
      "This key doesn't show a title, description, logo or items: create a key with --signed or --allow-title",
    )
  const signed = alsoSign === '' ? [] : ([['form_signed', alsoSign]] as const)
  return completeForm(holder, key, new Map([...fields, ...signed]))
}
