import { BlockList, isIPv6 } from 'node:net'

/** Whether an address is one of the proxies that the operator listed, alone or within a range. */
export function makeIsTrusted(trustedProxies: readonly string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', prefix] = proxy.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address = '') => address !== '' && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
