import { linkStates, type LinkRow, type LinkState } from './store.ts'

// What can be done with a link at a moment. Pausing and the end date go before the stock: whoever reads why nobody can pay
// must find what to change first. A list that is filtered by it asks the database for the same: hasState in store.ts.

export { linkStates, type LinkState }

export function linkState(link: LinkRow, now: Date): LinkState {
  if (link.stock !== null && link.paid >= link.stock) return 'sold_out'
  if (link.paused_at !== null) return 'paused'
  if (link.ends_at !== null && Date.parse(link.ends_at) <= now.getTime()) return 'ended'
  // A payment that nobody has finished may still free its place.
  return link.stock !== null && link.taken >= link.stock ? 'all_taken' : 'open'
}
