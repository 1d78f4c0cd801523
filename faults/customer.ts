// A customer who pays without a browser.

export type Shown = 'paid' | 'declined' | 'waiting' | 'closed' | 'unclear'

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenge: '4000000000003220',
  timeOutPaid: '4000000000005043',
  timeOutNotPaid: '4000000000005050',
} as const

const patienceMs = 15_000

/** Presses the button once and tells what the customer was shown; unclear when the answer never came. */
export async function payOnce(
  checkoutUrl: string,
  card: string,
  answer?: 'approve' | 'refuse',
): Promise<Shown> {
  const { origin, pathname } = new URL(checkoutUrl)
  const digits = pathname.slice('/payment/'.length)
  const asked = { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8), card, answer }
  try {
    const response = await fetch(`${origin}/faults/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!response.ok) return 'unclear'
    const { kind } = (await response.json()) as { kind: string }
    if (kind === 'paid' || kind === 'declined' || kind === 'closed') return kind
    return 'waiting'
  } catch {
    return 'unclear'
  }
}
