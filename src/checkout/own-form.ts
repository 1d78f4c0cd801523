import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import type { FormFields } from '../input/form-fields.ts'
import { isSameToken } from './token.ts'

// Forms of the checkout's own pages, and how they are told from forms that another site sends in a customer's name.

/** The fields of a form; refused when it is not from a page that holds this payment's token. */
export function readOwnForm(request: FastifyRequest, token: string): FormFields {
  if (!isOwnForm(request, token)) throw new Refusal('form_refused')
  return formFields(request)
}

/**
 * The token alone would not do: an attacker's server could fetch the payment's page and put its form, token included,
 * into another site. The browser itself says where a post started, so those of other sites are refused.
 */
export function isOwnForm(request: FastifyRequest, token: string): boolean {
  const site = request.headers['sec-fetch-site']
  const isForeign = site === 'cross-site' || site === 'same-site'
  return !isForeign && isSameToken(token, formFields(request).get('token') ?? '')
}

export function formFields(request: FastifyRequest): FormFields {
  return request.body instanceof Map ? request.body : new Map()
}
