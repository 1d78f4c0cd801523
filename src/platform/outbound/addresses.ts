import ipaddr from 'ipaddr.js'

// Which addresses a stranger may make this machine call. An allow-list: anything but plain public unicast is refused,
// so a range that IANA sets aside tomorrow is refused before anyone notices.

export type Reach = 'public' | 'loopback' | 'private' | 'forbidden'

/** Where an address leads. Text that is no address is forbidden. */
export function reachOf(address: string): Reach {
  if (!ipaddr.isValid(address)) return 'forbidden'
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv6 ? reachOfIPv6(parsed) : reachOfIPv4(parsed)
}

function reachOfIPv4(address: ipaddr.IPv4): Reach {
  const range = address.range()
  if (range === 'unicast') return 'public'
  return range === 'loopback' || range === 'private' ? range : 'forbidden'
}

const global = ipaddr.IPv6.parse('2000::')
const nat64 = ipaddr.IPv6.parse('64:ff9b::')
const compatible = ipaddr.IPv6.parse('::')

function reachOfIPv6(address: ipaddr.IPv6): Reach {
  const range = address.range()
  if (range === 'loopback') return 'loopback'
  if (range === 'uniqueLocal') return 'private'
  if (range === 'unspecified') return 'forbidden'
  // ::ffff:10.0.0.1 is routed as 10.0.0.1.
  if (range === 'ipv4Mapped') return reachOfIPv4(address.toIPv4Address())
  if (address.match(nat64, 96) || address.match(compatible, 96)) return carried(address, 6)
  if (range === '6to4') return carried(address, 1)
  if (range !== 'unicast' || !address.match(global, 3)) return 'forbidden'
  return isIsatap(address) ? carried(address, 6) : 'public'
}

/** The scope of the IPv4 address inside two of the eight groups; never more than public. */
function carried(address: ipaddr.IPv6, group: number): Reach {
  const high = address.parts[group] ?? 0
  const low = address.parts[group + 1] ?? 0
  const inner = new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
  return reachOfIPv4(inner) === 'public' ? 'public' : 'forbidden'
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200)
}

/** Whether a URL names this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

/** A name is trusted only where the standard gives it a fixed meaning. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || reachOf(host) === 'loopback'
}
