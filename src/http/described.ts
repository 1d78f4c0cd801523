import { urlLengthMax } from '../input/url.ts'
import type { Answer, JsonSchema, Parameter } from './openapi.ts'

// What operations of several rooms have in common when they are described for /openapi.json.

export const failures = {
  rule: failed(
    400,
    'A rule failed. Every failed rule stands in errors.',
    'validation_failed',
    'tx_ref is required',
    {
      tx_ref: ['tx_ref is required'],
    },
  ),
  key: failed(
    401,
    'No key, or one that is unknown, revoked or of the wrong kind.',
    'unauthorized',
    'Invalid secret key',
  ),
  unknown: failed(
    404,
    'Unknown, of another merchant, or of the other mode.',
    'not_found',
    'Transaction not found',
  ),
  taken: failed(
    409,
    'The tx_ref, or the Idempotency-Key with another body, was used before.',
    'tx_ref_taken',
    'tx_ref has been used before',
  ),
  tooMany: failed(
    429,
    'Retry-After says when to try again.',
    'rate_limited',
    'Too many requests, try again in 1 second',
  ),
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

export const txRefParameter: Parameter = {
  name: 'tx_ref',
  in: 'path',
  description: 'Your reference, percent-encoded.',
  schema: { type: 'string', maxLength: 255 },
}

export const urlSchema = (description: string): JsonSchema => ({
  type: 'string',
  format: 'uri',
  maxLength: urlLengthMax,
  description,
})
