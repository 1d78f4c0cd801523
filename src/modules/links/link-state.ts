import { linkStates, type LinkRow, type LinkState } from './store.ts'

// What a link allows at a moment. Pausing and the end date come before the stock: the reason shown must be the first
// thing to change. A filtered list asks the database for the same: hasState in store.ts.

export { linkStates, type LinkState }

export function linkState(link: LinkRow, now: Date): LinkState {
  if (link.stock !== null && link.paid >= link.stock) return 'sold_out'
  if (link.paused_at !== null) return 'paused'
  if (link.ends_at !== null && Date.parse(link.ends_at) <= now.getTime()) return 'ended'
  // An unfinished payment may still free its place.
  return link.stock !== null && link.taken >= link.stock ? 'all_taken' : 'open'
}
