import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { shortAddress } from '../input/network-of.ts'
import { passesLuhn } from '../money/luhn.ts'

export type { Logger }

// Keys, card numbers, passwords and customers' data stay out of the log by not being logged. Should one slip through,
// fields with these names are hidden at any depth, and anything that looks like a secret is hidden anywhere in a line.
export const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'secret_key',
  'key',
  'password',
  'token',
  'card',
  'card_number',
  'credentials',
  'cvc',
  'email',
  'body',
])

const pageLength = 16_384
const pageMs = 200

/**
 * Lines are collected and written together, at most a fifth of a second late and when the process ends, to save a system
 * call per request. Not with pino's own buffer, which measures all that it holds again with every line.
 */
function pagedOutput(): DestinationStream {
  const file = pino.destination({ dest: 1, sync: false })
  let page = ''
  let isOpen = true
  let timer: NodeJS.Timeout | undefined
  file.once('close', () => {
    isOpen = false // No test: nobody reads a closed output
  })
  function turn(): void {
    if (page === '' || !isOpen) return // No test: nobody reads a closed output
    const full = page
    page = ''
    file.write(full)
  }
  // Before pino's own listeners, so that they write this last page as well.
  for (const end of ['beforeExit', 'exit'] as const) process.prependListener(end, turn)
  return {
    write(line) {
      page += line
      if (page.length >= pageLength) turn() // No test: the exact number is no promise
      timer ??= setTimeout(() => {
        timer = undefined
        turn()
      }, pageMs).unref()
    },
  }
}

/** One for the process, whose output it is. */
let output: DestinationStream | undefined

export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    // pino's own redaction with wildcards costs 20 µs a line, this costs 3.
    hooks: { streamWrite: hideSecrets, logMethod: logSeldom() },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return pino(options, destination ?? (output ??= pagedOutput()))
}

const seldomMs = 1_000

/**
 * While the database is away every request and every job fails for the same reason. Their lines become one a second, with
 * the reason in words: a stack for each filled a disk on which the database had run out of room.
 */
function logSeldom(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  let said: string | undefined
  let saidAtMs = 0
  let leftOut = 0
  return function say(args, method) {
    const fields: unknown = args[0]
    const why = fields instanceof Object && 'err' in fields ? whyAway(fields.err) : undefined
    if (why === undefined) return method.apply(this, args)
    const nowMs = Date.now()
    if (why === said && Math.abs(nowMs - saidAtMs) < seldomMs) {
      leftOut += 1
      return
    }
    const line = { ...(fields as object), err: undefined, ...(leftOut > 0 && { left_out: leftOut }) }
    said = why
    saidAtMs = nowMs
    leftOut = 0
    return method.apply(this, [line, `The database is unavailable: ${why}`])
  }
}

function whyAway(error: unknown): string | undefined {
  return error instanceof DatabaseUnavailable ? error.why : undefined
}

export type Answered = {
  readonly requestId: string
  readonly method: string
  /** The pattern of the route, never the address. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly address: string
  readonly isAddressShort?: boolean
  /** Known by a key. */
  readonly caller: { readonly keyId: string; readonly merchantId: number } | undefined
}

/**
 * The line of an answer, the only one on the hot path: written by hand from words of our own, so that it needs no look
 * for secrets: 1.4 µs instead of 4.8.
 */
export function logAnswer(log: Logger, answered: Answered): void {
  if (!log.isLevelEnabled('info')) return
  const { requestId, method, route, status, ms, caller } = answered
  const known = caller ? `,"key_id":"${caller.keyId}","merchant":${caller.merchantId}` : ''
  const address = wellFormedAddress(answered.address)
  const shown = answered.isAddressShort === true ? shortAddress(address) : address
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym]
  stream?.write(
    `{"level":"info","time":"${new Date().toISOString()}","request_id":"${requestId}","method":"${method}",` +
      `"route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10},` +
      `"address":"${shown}"${known}}\n`,
  )
}

/** Behind a proxy the address is what a header says, so it may be anything. */
function wellFormedAddress(address: string): string {
  return /^[\da-fA-F.:]{2,45}$/.test(address) ? address : 'odd'
}

/** PostgreSQL's `detail` quotes the row that failed, personal data included, so it is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    stack: stack ?? '',
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

const secretField = new RegExp(`"(?:${[...secretNames].join('|')})":`)
// Also those of networks: Stripe's sk_, rk_ and whsec_, Paystack's sk_, and GoCardless's live_ and sandbox_.
const keys = /\b(sk|fk|ak|rk|whsec|fsec)_[A-Za-z0-9_+/=]{8,}|\b(live|sandbox)_[A-Za-z0-9_-]{20,}/g
// What comes before an @, from where it begins: a search from every character of it would take a second for 60 kB.
const beforeAt = /(?<![^\s"@])[^\s"@]+@/g
const password = /:\/\/[^/:]*:[^]*/
const addresses = /(?<![\w.%+-])[\w.%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/g
const cardNumbers = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w.-])/g

/** Called for every line, so the costly searches run only on lines in which they could find something. */
export function hideSecrets(line: string): string {
  return hideInText(secretField.test(line) ? hideFields(line) : line)
}

/** By its appearance, anywhere in a line. */
export function hideInText(text: string): string {
  let hidden = text.replace(keys, '$1$2_[hidden]')
  if (hidden.includes('@')) hidden = hidden.replace(beforeAt, hidePassword).replace(addresses, '[hidden]')
  return hidden.replace(cardNumbers, (digits) =>
    passesLuhn(digits.replace(/\D/g, '')) ? '[hidden]' : digits,
  )
}

function hidePassword(text: string): string {
  return text.replace(password, '://[hidden]@')
}

function hideFields(line: string): string {
  const hidden: unknown = JSON.parse(line, (name, value: unknown) =>
    secretNames.has(name) ? '[hidden]' : value,
  )
  return `${JSON.stringify(hidden)}\n`
}
