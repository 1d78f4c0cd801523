/** What a tx_ref begins with that Florin drew for a payment link: no shop knows it, so no customer is shown it. */
export const drawnRefPrefix = 'link_'

export function isDrawnRef(txRef: string): boolean {
  return /^link_[0-9A-Za-z]{16}$/.test(txRef)
}
