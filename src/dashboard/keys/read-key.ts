import { brokenRule } from '../../platform/errors/refusals.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import type { KeyRequest } from '../../core/merchants/change-keys.ts'
import type { FormBounds } from '../../core/merchants/form-bounds.ts'
import { dialects, type KeyKind } from '../../core/merchants/key-format.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { isCurrency } from '../../platform/money/currencies.ts'
import { readTypedAmount } from '../../platform/money/typed-amount.ts'

// Reads the new-key form for merchants/change-keys.ts, which has the rules.

const kinds: readonly KeyKind[] = ['secret', 'form', 'api']

export function readKind(text: string | undefined): KeyKind {
  return kinds.find((kind) => kind === text) ?? 'secret'
}

export function readKeyRequest(fields: FormFields, mode: Mode, secrets: Secrets): KeyRequest {
  const kind = readKind(fields.get('kind'))
  const name = (fields.get('name') ?? '').trim()
  if (name === '') throw brokenRule('name', 'Enter a name that says where the key is used')
  if (kind === 'api') return { kind, name }
  const dialect = dialects.find((one) => one === fields.get('dialect')) ?? 'florin'
  if (kind === 'secret') return { kind, mode, name, dialect, mayRefund: fields.get('refunds') !== 'no' }
  const isSigned = fields.get('signed') === 'yes'
  const bounds = readBounds(fields, isSigned)
  return { kind, mode, name, dialect, bounds, ...(isSigned && { signing: secrets }) }
}

function readBounds(fields: FormFields, isSigned: boolean): FormBounds {
  const hosts = words(fields.get('hosts'))
  if (hosts.length === 0) throw brokenRule('hosts', 'Enter the host of your page, such as shop.example.com')
  const callbackHosts = words(fields.get('callback_hosts'))
  const txRefPrefix = fields.get('tx_ref_prefix') ?? ''
  const currency = fields.get('currency') ?? ''
  if (currency !== '' && !isCurrency(currency))
    throw brokenRule('currency', 'Choose a currency from the list')
  const minMinor = readAmount(fields, 'min', currency)
  const maxMinor = readAmount(fields, 'max', currency)
  if (minMinor !== undefined && maxMinor !== undefined && minMinor > maxMinor)
    throw brokenRule('max', 'The largest amount can’t be less than the smallest')
  return {
    hosts,
    ...(callbackHosts.length > 0 && { callbackHosts }),
    ...(txRefPrefix !== '' && { txRefPrefix }),
    showsTitle: !isSigned && fields.get('title') === 'yes',
    ...(currency !== '' && { currencies: [currency] }),
    ...(minMinor !== undefined && { minMinor }),
    ...(maxMinor !== undefined && { maxMinor }),
  }
}

function words(text = ''): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

function readAmount(fields: FormFields, name: string, currency: string): bigint | undefined {
  const text = (fields.get(name) ?? '').trim()
  if (text === '') return undefined
  if (currency === '') throw brokenRule('currency', 'Choose a currency for these amounts')
  const read = readTypedAmount(text, currency)
  if (!read.ok) throw brokenRule(name, read.rule)
  return read.minor
}

export const overlaps = [
  ['24', 'For 24 hours'],
  ['72', 'For 72 hours'],
  ['1', 'For one hour'],
  ['0', 'Don’t keep it: it stops now'],
] as const

export function readOverlap(fields: FormFields): number {
  const given = fields.get('overlap') ?? ''
  if (!overlaps.some(([hours]) => hours === given))
    throw brokenRule('overlap', 'Choose how long to keep the old one')
  return Number(given)
}
