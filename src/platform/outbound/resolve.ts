import { Resolver, lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'

// Names to addresses without the thread pool. getaddrinfo occupies one of Node's four threads for as long as a name
// server stays silent, so four receivers with a dead name server would stop every other look-up and all file access;
// c-ares asks from the event loop. It does not read /etc/hosts, which is why a name that the DNS does not know is
// given to getaddrinfo after all: that answer is quick.

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

const notThere = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'ENONAME'])

/** Asks the name servers of this machine, or those that are given. */
export function makeResolve(nameServers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  return async (hostname) => {
    if (/(^|\.)localhost\.?$/i.test(hostname)) {
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]
    }
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    )
    if (found.length > 0) return found
    const failure = answers.find((answer) => answer.status === 'rejected')?.reason as NodeJS.ErrnoException
    if (failure && !notThere.has(failure.code ?? '')) throw failure
    return lookup(hostname, { all: true, order: 'ipv4first' })
  }
}
