import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

// Keys, card numbers, passwords and customers' data stay out of the log by not being logged; this is the net below.
const secretPaths = [
  'req.headers.authorization',
  'headers.authorization',
  'authorization',
  'secret_key',
  'key',
  'password',
  'token',
  'card',
  'card_number',
  'cvc',
  'email',
  '*.authorization',
  '*.secret_key',
  '*.password',
  '*.token',
  '*.card',
  '*.card_number',
  '*.cvc',
  '*.email',
  'body',
]

export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretPaths, censor: '[hidden]' },
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options)
}

const keyShape = /\b(sk|fk|ak|whsec)_[A-Za-z0-9_+/=]{8,}/g

/** PostgreSQL's `detail` quotes the row that failed, personal data included, so it is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: hideKeys(String(error)) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message: hideKeys(message),
    ...(typeof code === 'string' && { code }),
    stack: hideKeys(stack ?? ''),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

function hideKeys(text: string): string {
  return text.replace(keyShape, '$1_[hidden]')
}
