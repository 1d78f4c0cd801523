import { publicStatus, type PaymentState } from '../../payments/state-machine.ts'

// Where the customer goes afterwards: the stored return_url and nothing else, with tx_ref and status added.

const ours = new Set(['tx_ref', 'status'])

export function returnAddress(payment: {
  return_url: string | null
  tx_ref: string
  state: PaymentState
}): string | undefined {
  if (payment.return_url === null || !URL.canParse(payment.return_url)) return undefined
  const url = new URL(payment.return_url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined

  // As text and not through searchParams, which would rewrite the merchant's own query (`%20` to `+`, `?a` to `?a=`).
  // An existing tx_ref or status is replaced: of two with the same name, some programs read the first and some the
  // last.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ours.has(parameterName(part)))
  const added = new URLSearchParams({ tx_ref: payment.tx_ref, status: publicStatus[payment.state] })
  url.search = `?${[...kept, added.toString()].join('&')}`
  return url.href
}

function parameterName(part: string): string {
  // URLSearchParams drops a question mark at the start; behind the ampersand it stays part of the name.
  return [...new URLSearchParams(`&${part}`).keys()][0] ?? ''
}
