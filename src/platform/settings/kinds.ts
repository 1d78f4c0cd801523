import { isIP } from 'node:net'
import { readSecretsKey } from '../secrets/secrets-key.ts'

// The kinds of settings: how the text is parsed, and the message for an invalid one.

export type Setting<Value> = {
  readonly default: string
  readonly meaning: string
  readonly example: string
  readonly parse: (text: string) => Value
}

export class Mistake extends Error {}

export class ConfigMistakes extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

export function integer(rule: {
  default: string
  min: number
  max: number
  meaning: string
}): Setting<number> {
  const span = `must be a whole number from ${rule.min} to ${rule.max}`
  const parse = (value: string): number => {
    const number = Number(value)
    if (!/^\d{1,9}$/.test(value) || number < rule.min || number > rule.max) throw new Mistake(span)
    return number
  }
  return { ...rule, example: rule.default, parse }
}

export function anything(rule: { default: string; meaning: string; example: string }): Setting<string> {
  return { ...rule, parse: (value) => value }
}

/** For a secret: the file that holds it, named after it. */
export function sameFromFile({ example }: { example: string }): Setting<string> {
  return anything({ default: '', meaning: 'The same from a file. Not used when it is set.', example })
}

export function url(rule: {
  default: string
  meaning: string
  example: string
  protocols?: string[]
  /** As psql takes it: nothing between @ and /, the host being a socket's folder in the query. */
  hostMayBeEmpty?: boolean
  /** Where a slash at the end belongs to the name. */
  keepsSlash?: boolean
}): Setting<string> {
  const protocols = rule.protocols ?? ['http:', 'https:']
  const starts = protocols.map((name) => `${name}//`)
  const parse = (value: string): string => {
    if (value === '') return ''
    if (!starts.some((start) => value.toLowerCase().startsWith(start))) {
      throw new Mistake(`must be a URL that starts with ${starts.join(' or ')}`)
    }
    const whole = rule.hostMayBeEmpty === true ? value.replace('@/', '@localhost/') : value
    if (!URL.canParse(whole)) throw new Mistake('must be a URL whose host, port and password can be read')
    const { username, search, hash } = new URL(whole)
    if (!rule.protocols && `${username}${search}${hash}` !== '') {
      throw new Mistake('must be a URL without user, query and fragment')
    }
    return rule.keepsSlash === true ? value : value.replace(/\/+$/, '')
  }
  return { ...rule, parse }
}

export function list(rule: {
  default: string
  meaning: string
  example: string
}): Setting<readonly string[]> {
  const parse = (value: string): string[] => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    if (!items.every(isAddressOrRange))
      throw new Mistake('must be addresses or CIDR ranges separated by commas')
    return items
  }
  return { ...rule, parse }
}

function isAddressOrRange(text: string): boolean {
  const [, ip = '', bits = '1'] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(ip)
  // A range of no bits is everybody: the server refuses it, since then anybody could say who he is.
  return version !== 0 && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}

export function address(rule: { default: string; meaning: string; example: string }): Setting<string> {
  const parse = (value: string): string => {
    if (value === '') return ''
    if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(value)) throw new Mistake('must be one e-mail address')
    return value
  }
  return { ...rule, parse }
}

export function oneOf(rule: { default: string; allowed: string[]; meaning: string }): Setting<string> {
  const parse = (value: string): string => {
    if (!rule.allowed.includes(value)) throw new Mistake(`must be one of ${rule.allowed.join(', ')}`)
    return value
  }
  return { ...rule, example: rule.default, parse }
}

/** Its example is none that anybody could copy. */
export function secretsKey(rule: { meaning: string }): Setting<string> {
  return { ...rule, default: '', example: '…', parse: (value) => keysIn(value, 1)[0] ?? '' }
}

/** Several, with commas between. */
export function secretsKeys(rule: { meaning: string }): Setting<readonly string[]> {
  return { ...rule, default: '', example: '…', parse: (value) => keysIn(value, oldKeysMax) }
}

const oldKeysMax = 10

function keysIn(value: string, max: number): string[] {
  const keys = value === '' ? [] : value.split(',')
  if (keys.length > max || !keys.every((key) => readSecretsKey(key)))
    throw new Mistake('must be 32 bytes in base64, as florin secrets key makes them')
  return keys
}

/** A mistake must not print the key or the password in it, however malformed it is. */
export function mask(name: string, text: string): string {
  if (name.startsWith('SECRETS_KEY')) return '…'
  if (!name.endsWith('_URL')) return text
  return text.replace(/^([a-z+]+:\/\/)?.*@/is, '$1…@').replace(/(password=)[^&]*/gi, '$1…')
}
