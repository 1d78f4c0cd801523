import type { Refusal } from '../errors/refusals.ts'

// The shape of every JSON answer, of both groups.

export type Success<Data> = { readonly status: 'success'; readonly message: string; readonly data: Data }

export function success<Data>(message: string, data: Data): Success<Data> {
  return { status: 'success', message, data }
}

export function failed(refusal: Refusal): object {
  const { message, code, errors } = refusal
  return { status: 'failed', message, data: null, code, ...(errors && { errors }) }
}

export const jsonType = 'application/json; charset=utf-8'
