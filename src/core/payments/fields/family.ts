// Requests of plugins that were written for other services, in Florin's own fields: a customer in an object of its own, and
// amounts with thousands separators.

const ofCustomer = ['email', 'first_name', 'last_name'] as const
const amountLengthMax = 30
/** Whole groups of three only, so that a decimal comma is never taken for a separator. */
const separated = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** Fields of the request itself come before those of `customer`. */
export function inOwnFields(body: unknown): unknown {
  if (!isObject(body)) return body
  const { amount, customer } = body
  const inner = isObject(customer) ? customer : {}
  const taken = ofCustomer.filter((name) => isBlank(body[name]) && !isBlank(inner[name]))
  const isSeparated =
    typeof amount === 'string' && amount.length <= amountLengthMax && separated.test(amount.trim())
  return {
    ...body,
    ...Object.fromEntries(taken.map((name) => [name, inner[name]])),
    ...(isSeparated && { amount: amount.replaceAll(',', '') }),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
