import { brokenRule } from '../../platform/errors/refusals.ts'
import { hostRule, readHost } from './form-host.ts'
import type { FormColumns } from './store.ts'

// The bounds of a form key: everyone who opens the page can read the key and send their own form with it.

export type FormBounds = {
  /** Where return_url may lead. */
  readonly hosts: readonly string[]
  /** Where callback_url may lead; undefined in keys that were made before callbacks were bound. */
  readonly callbackHosts?: readonly string[] | undefined
  readonly txRefPrefix?: string | undefined
  readonly currencies?: readonly string[] | undefined
  readonly minMinor?: bigint | undefined
  readonly maxMinor?: bigint | undefined
  /** Whether title, description and logo of a form that is not signed are shown under the merchant's name. */
  readonly showsTitle?: boolean | undefined
}

export const txRefPrefixMax = 100

/** The bounds of a new key: with hosts, and callbacks that go to the same hosts unless others are named. */
export function checkBounds(bounds: FormBounds | undefined): FormBounds {
  const hosts = checkHosts('hosts', bounds?.hosts ?? [])
  if (hosts.length === 0)
    throw brokenRule('hosts', 'hosts is required for a form key: the hosts customers may return to')
  const prefix = bounds?.txRefPrefix
  if (prefix !== undefined && !isPrefix(prefix))
    throw brokenRule('tx_ref_prefix', `tx_ref_prefix ${prefixRule}`)
  return {
    ...bounds,
    hosts,
    callbackHosts: bounds?.callbackHosts ? checkHosts('callback_hosts', bounds.callbackHosts) : hosts,
    showsTitle: bounds?.showsTitle ?? false,
  }
}

function checkHosts(name: string, texts: readonly string[]): string[] {
  return texts.map((text) => {
    const host = readHost(text)
    if (host === undefined) throw brokenRule(name, `${name} ${hostRule}, but one is "${text}"`)
    return host
  })
}

export const prefixRule = `must be 1 to ${txRefPrefixMax} characters, without control characters and outer white space`

/** Outer white space of a tx_ref is dropped, so a prefix that begins with some could never fit. */
export function isPrefix(text: string): boolean {
  return (
    text.length >= 1 &&
    text.length <= txRefPrefixMax &&
    text === text.trim() &&
    !/\p{Cc}/u.test(text) &&
    text.isWellFormed()
  )
}

export function columnsOf(bounds: FormBounds | undefined): Omit<FormColumns, 'form_secret'> {
  return {
    form_hosts: bounds ? [...bounds.hosts] : null,
    form_callback_hosts: bounds?.callbackHosts ? [...bounds.callbackHosts] : null,
    form_tx_ref_prefix: bounds?.txRefPrefix ?? null,
    form_currencies: bounds?.currencies ? [...bounds.currencies] : null,
    form_min_minor: bounds?.minMinor ?? null,
    form_max_minor: bounds?.maxMinor ?? null,
    form_shows_title: bounds?.showsTitle ?? null,
  }
}

/** Undefined for a key that is bound to nothing: a secret key, or a form key from before there were hosts. */
export function boundsOf(row: FormColumns): FormBounds | undefined {
  if (row.form_hosts === null) return undefined
  return {
    hosts: row.form_hosts,
    callbackHosts: row.form_callback_hosts ?? undefined,
    txRefPrefix: row.form_tx_ref_prefix ?? undefined,
    currencies: row.form_currencies ?? undefined,
    minMinor: row.form_min_minor ?? undefined,
    maxMinor: row.form_max_minor ?? undefined,
    showsTitle: row.form_shows_title ?? undefined,
  }
}
