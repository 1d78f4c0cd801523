import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { closest } from '../../platform/input/closest.ts'
import { overlapHoursMax } from '../../core/merchants/change-keys.ts'
import type { Mode } from '../../core/merchants/mode.ts'

/** A mistake on the command line: printed as one line, exit code 64. */
export class UsageMistake extends Error {
  /** The line itself does not say what would be right. */
  readonly seeHelp: boolean

  constructor(message: string, { seeHelp = false } = {}) {
    super(message)
    this.seeHelp = seeHelp
  }
}

const nameLengthMax = 100

export type Parsed = {
  readonly values: Record<string, string | boolean | undefined>
  readonly words: string[]
}

/** `words`: how many words may come beside the options. One too many is a mistake, not something to guess. */
export function readArguments(args: string[], options: ParseArgsOptionsConfig, words = 0): Parsed {
  const parsed = parse(args, options)
  const odd = parsed.words[words]
  if (odd !== undefined) throw new UsageMistake(`"${odd}" is an unexpected argument`, { seeHelp: true })
  return parsed
}

function parse(args: string[], options: ParseArgsOptionsConfig): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
    return { values, words: positionals }
  } catch (error) {
    // Only the first sentence: Node goes on with advice on arguments that start with a dash.
    const line = (error as Error).message.replace(/\.\s.*/s, '')
    const short = line.replace(/^Option '(--[\w-]+).* argument (missing|is ambiguous)$/, '$1 needs a value')
    throw new UsageMistake(short + meant(short, Object.keys(options)), { seeHelp: true })
  }
}

function meant(line: string, options: readonly string[]): string {
  const unknown = /^Unknown option '--([\w-]+)'/.exec(line)?.[1]
  const near = unknown === undefined ? undefined : closest(unknown, options)
  return near === undefined ? '' : ` (did you mean --${near}?)`
}

export function text(parsed: Parsed, name: string): string | undefined {
  const value = parsed.values[name]
  return typeof value === 'string' ? value : undefined
}

export function flag(parsed: Parsed, name: string): boolean {
  return parsed.values[name] === true
}

export function wholeNumber(parsed: Parsed, name: string): number | undefined {
  const value = text(parsed, name)
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value)) throw new UsageMistake(`--${name} must be a whole number, but is "${value}"`)
  return Number(value)
}

/** A required option that is a URL. */
export function webAddress(parsed: Parsed, name: string, example: string): URL {
  const value = text(parsed, name)
  if (value === undefined) throw new UsageMistake(`--${name} is required, such as --${name} ${example}`)
  if (!URL.canParse(value) || !/^https?:\/\//i.test(value))
    throw new UsageMistake(`--${name} must be a URL such as ${example}, but is "${value}"`)
  return new URL(value)
}

export function oneOf<Word extends string>(name: string, value: string, allowed: readonly Word[]): Word {
  const found = allowed.find((word) => word === value)
  if (found === undefined)
    throw new UsageMistake(`--${name} must be one of ${allowed.join(', ')}, but is "${value}"`)
  return found
}

export const limitMax = 1_000

/** --limit: how many rows of a list. */
export function limitOption(parsed: Parsed, otherwise: number): number {
  const limit = wholeNumber(parsed, 'limit') ?? otherwise
  if (limit < 1 || limit > limitMax)
    throw new UsageMistake(`--limit must be 1 to ${limitMax}, but is "${limit}"`)
  return limit
}

/** --mode; test when it is left out, in every command. */
export function modeOption(parsed: Parsed): Mode {
  return oneOf<Mode>('mode', text(parsed, 'mode') ?? 'test', ['test', 'live'])
}

/** For how many hours the old key or secret goes on. */
export function overlap(parsed: Parsed): number {
  const hours = wholeNumber(parsed, 'overlap') ?? 24
  if (hours > overlapHoursMax)
    throw new UsageMistake(`--overlap must be 0 to ${overlapHoursMax} hours, but is "${hours}"`)
  return hours
}

/** --name; a line break or a tab in it would break every list that shows it. */
export function shownName(parsed: Parsed): string | undefined {
  const name = text(parsed, 'name')
  if (name === undefined) return undefined
  const isShort = name.trim() !== '' && name.length <= nameLengthMax
  if (!isShort || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw new UsageMistake(`--name must be 1 to ${nameLengthMax} characters, without line breaks and tabs`)
  return name
}

/** The 8-digit number of a merchant. */
export function merchantNumber(digits: string | undefined): number | undefined {
  return digits !== undefined && /^[1-9]\d{7}$/.test(digits) ? Number(digits) : undefined
}

export function onOff(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off')
    throw new UsageMistake(`--${name} must be on or off, but is "${value}"`)
  return value === 'on'
}
