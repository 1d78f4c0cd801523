import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { isSameToken } from './token.ts'

// Forms of the checkout's own pages, and how to tell them from forms that another site sends in a customer's name.

/** The fields of a form; refused when it is not from a page that holds this payment's token. */
export function readOwnForm(request: FastifyRequest, token: string, baseUrl: string): FormFields {
  if (!isOwnForm(request, token, baseUrl)) throw new Refusal('form_refused')
  return formFields(request)
}

/**
 * The token alone would not do: an attacker's server could fetch the payment's page and put its form, token included,
 * into another site. The browser itself says where a post started, so those of other sites are refused.
 */
export function isOwnForm(request: FastifyRequest, token: string, baseUrl: string): boolean {
  return isFromHere(request, baseUrl) && isSameToken(token, formFields(request).get('token') ?? '')
}

function isFromHere({ headers }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers from before 2023 say it by Origin alone. Of our own pages it is `null`, as they send no referrer, and
  // programs send none. Behind a proxy that puts its own Host there, BASE_URL is what the browser shows.
  const { origin } = headers
  if (origin === undefined || origin === 'null') return true
  return origin === new URL(baseUrl).origin || URL.parse(origin)?.host === headers.host
}

export function formFields(request: FastifyRequest): FormFields {
  return request.body instanceof Map ? request.body : new Map()
}
