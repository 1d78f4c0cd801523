import { isLoopbackUrl } from './addresses.ts'
import type { OutboundScope } from './outbound.ts'

/** A stand-in on this machine may be called; a network's host name that resolves here may not. */
export function scopeOf(url: string): OutboundScope {
  return url !== '' && isLoopbackUrl(url) ? 'local' : 'public'
}
