import { pageLimit } from '../../input/cursor.ts'
import { warningsMax } from '../../input/unknown-fields.ts'
import { urlLengthMax } from '../../input/url.ts'
import type { Answer, JsonSchema, Operation, Parameter } from './openapi.ts'

// What operations of several modules share when they are described for /openapi.json.

const anyRule = 'A rule failed. errors lists every failed rule.'

export const failures = {
  /** The operation gets an example of its own. */
  rule: failed(400, anyRule, 'validation_failed', 'tx_ref is required', { tx_ref: ['tx_ref is required'] }),
  unknown: failed(
    404,
    'Unknown, of another merchant, or of the other mode.',
    'not_found',
    'Transaction not found',
  ),
  refTaken: withExisting(
    failed(409, 'The tx_ref was used before.', 'tx_ref_taken', 'tx_ref has been used before'),
  ),
  otherBody: failed(
    409,
    'The Idempotency-Key was used before with another body.',
    'idempotency_conflict',
    'Idempotency-Key was used before with another body: send a new key',
  ),
}

const retryAfter = { 'retry-after': 'Seconds to wait before the next try.' }

const rateLimit = {
  ratelimit: 'How many requests this key has left, and in how many seconds it has all of them again.',
  'ratelimit-policy':
    'How many requests a key can send at once, and in how many seconds it has all of them again.',
}

function withRateLimit(answer: Answer): Answer {
  return { ...answer, headers: { ...rateLimit, ...answer.headers } }
}

const ofEvery: readonly Answer[] = [
  {
    ...failed(
      429,
      'Too many requests. Retry-After says when to try again.',
      'rate_limited',
      'Too many requests, try again in 1 second',
    ),
    headers: { ...retryAfter, ...rateLimit },
  },
  failed(
    500,
    'A bug on our side.',
    'internal_error',
    'Something went wrong on our side: report the x-request-id of this answer',
  ),
  {
    ...failed(
      503,
      'Busy, or the database is unavailable. The message says whether something may have been saved.',
      'unavailable',
      'The database did not answer, so this may have been saved; look it up before you try again',
    ),
    headers: retryAfter,
  },
]

const ofBodies: readonly Answer[] = [
  failed(
    400,
    "The body can't be read.",
    'malformed_body',
    'The request body is not valid JSON: look at line 1, column 18',
  ),
  failed(
    413,
    'The body is larger than 64 KiB.',
    'body_too_large',
    'The request body is larger than 64 KiB: send less',
  ),
  failed(
    415,
    'The body has a content type that is not accepted.',
    'unsupported_media_type',
    'The request body must be JSON: send it with Content-Type: application/json',
  ),
]

const ofLiveKeys = failed(
  403,
  'A live key, but live payments are not switched on for the account.',
  'live_not_enabled',
  'Live payments are not switched on for this account',
)

const ofSuspended = failed(
  403,
  'The operator of this Florin has suspended the account.',
  'merchant_suspended',
  'This account is suspended; contact the operator of this Florin',
)

const wrongKeys: Readonly<Record<Operation['key'], string>> = {
  secret: 'Invalid secret key',
  api: 'Invalid API key',
  'in the form': 'Invalid secret key',
}

/** A look-up has another rule of its own. */
function withOk(answer: Answer): Answer {
  return answer.data ? { ...answer, sometimes: { status: okSchema, ...answer.sometimes } } : answer
}

const okSchema: JsonSchema = {
  type: 'string',
  enum: ['success', 'ok'],
  description: 'ok only with a key of the dialect family: its plugins take success for a paid payment.',
}

function withWarnings(answer: Answer): Answer {
  return answer.data ? { ...answer, sometimes: { ...answer.sometimes, warnings: warningsSchema } } : answer
}

const warningsSchema: JsonSchema = {
  title: 'Warnings',
  type: 'array',
  maxItems: warningsMax,
  items: { type: 'string' },
  description:
    'Only if you sent unknown fields that resemble known ones, such as returnUrl for return_url. Unknown fields are ignored.',
}

/** A rule of this very call: what it needs first, or the size of a page. */
function ruleFor({ body, parameters = [] }: Operation): Answer {
  const [field] = (body?.schema['required'] ?? []) as readonly string[]
  const needed = field ?? parameters.find((each) => each.in === 'path')?.name
  if (needed !== undefined) return brokenRule(needed, 'is required')
  const asked = new Set(parameters.map(({ name }) => name))
  const rule = Object.entries(rulesOfLists).find(([name]) => asked.has(name))
  // A call without parameters refuses any.
  return brokenRule(...(rule ?? ['limit', 'is not a known parameter']))
}

const rulesOfLists = {
  limit: `must be a whole number from 1 to ${pageLimit.max}`,
  per_page: 'must be one of 10, 25, 50, 100',
  created_from: 'must be a date or time such as 2026-11-15 or 2026-11-15T14:05:00Z',
}

function brokenRule(field: string, rule: string): Answer {
  const message = `${field} ${rule}`
  return failed(400, anyRule, 'validation_failed', message, { [field]: [message] })
}

/** Adds what any operation of its kind may answer. */
export function withCommonAnswers(operation: Operation): Operation {
  const { key, body, answers } = operation
  const wrongKey: Answer = {
    ...failed(
      401,
      'The key is missing, unknown, revoked or of the wrong kind.',
      'unauthorized',
      wrongKeys[key],
    ),
    headers: key === 'in the form' ? {} : { 'www-authenticate': 'Bearer' },
  }
  const fitting = answers.map((answer) => (answer === failures.rule ? ruleFor(operation) : answer))
  const limited = key === 'in the form' ? fitting : fitting.map(withRateLimit)
  // A body of which nothing is ignored says so in its schema.
  const ignoresFields = body !== undefined && body.schema['additionalProperties'] !== false
  const warned = ignoresFields ? limited.map(withWarnings) : limited
  const answered = operation.method === 'get' && key !== 'in the form' ? warned.map(withOk) : warned
  const ofKeys = [wrongKey, ofSuspended, ...(key === 'api' ? [] : [ofLiveKeys])]
  const common = [...ofKeys, ...(body ? ofBodies : []), ...ofEvery]
  return { ...operation, answers: [...answered, ...common].toSorted((a, b) => a.status - b.status) }
}

export function failed(
  status: number,
  description: string,
  code: string,
  message: string,
  errors?: object,
): Answer {
  return {
    status,
    description,
    example: { status: 'failed', message, data: null, code, ...(errors && { errors }) },
  }
}

function withExisting(answer: Answer): Answer {
  const checkout_url = 'https://pay.example.com/payment/59391412749383975174473831284788'
  const existing = { status: 'pending', checkout_url }
  return { ...answer, example: { ...(answer.example as object), existing } }
}

export const txRefParameter: Parameter = {
  name: 'tx_ref',
  in: 'path',
  description: 'Your reference, percent-encoded.',
  schema: { type: 'string', maxLength: 255, example: 'order-1001' },
}

export const urlSchema = (description: string): JsonSchema => ({
  type: 'string',
  format: 'uri',
  maxLength: urlLengthMax,
  description,
})

/** The parameters of every list. */
export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Page size.',
    schema: { type: 'integer', minimum: 1, maximum: pageLimit.max, default: pageLimit.default },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'The next_cursor of the previous page.',
    schema: { type: 'string' },
  },
]

/** In the description of every list. */
export const listRules =
  'Newest first. Follow links.next until it is null, or send meta.next_cursor as cursor. Send each parameter at most once; unknown parameters are refused unless they begin with _.'

/** Beside the data of a list, as in an example. */
export const onlyPage = { links: { next: null }, meta: { limit: pageLimit.default, next_cursor: null } }

/** Beside the data of a list that is paged by a cursor. */
export const cursorBeside: Readonly<Record<string, JsonSchema>> = {
  links: {
    title: 'NextLink',
    type: 'object',
    additionalProperties: false,
    required: ['next'],
    properties: { next: { type: ['string', 'null'], format: 'uri' } },
  },
  meta: {
    title: 'CursorMeta',
    type: 'object',
    additionalProperties: false,
    required: ['limit', 'next_cursor'],
    properties: { limit: { type: 'integer' }, next_cursor: { type: ['string', 'null'] } },
  },
}
