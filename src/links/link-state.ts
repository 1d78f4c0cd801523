import type { LinkRow } from './store.ts'

// What can be done with a link at a moment. Pausing and the end date go before the stock: whoever reads why nobody can pay
// must find what to change first.

export type LinkState = 'open' | 'paused' | 'ended' | 'all_taken' | 'sold_out'

export function linkState(link: LinkRow, now: Date): LinkState {
  if (link.stock !== null && link.paid >= link.stock) return 'sold_out'
  if (link.paused_at !== null) return 'paused'
  if (link.ends_at !== null && Date.parse(link.ends_at) <= now.getTime()) return 'ended'
  // A payment that nobody has finished may still free its place.
  return link.stock !== null && link.taken >= link.stock ? 'all_taken' : 'open'
}
