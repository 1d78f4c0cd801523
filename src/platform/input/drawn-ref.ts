/** The prefix of a tx_ref that Florin generated for a payment link: no shop knows it, so customers don't see it. */
export const drawnRefPrefix = 'link_'

export function isDrawnRef(txRef: string): boolean {
  return /^link_[0-9A-Za-z]{16}$/.test(txRef)
}
