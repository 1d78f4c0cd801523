import { registerHooks } from 'node:module'

// Loaded before the servers of one measure with `node --import`. Notifications of live mode go to public addresses by TLS
// and nowhere else; the merchant of the bench is on this machine. Nothing in what is shipped knows of this.

const changes = [
  ['url: ipn.target,', "url: ipn.target.replace('https:', 'http:'),"],
  ['scope: scopeOf(sender, ipn),', "scope: 'local',"],
] as const

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/notifications/ipn/send-ipn.ts') || !loaded.source) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString('utf8')
    for (const [from, to] of changes) {
      if (!source.includes(from)) throw new Error(`send-ipn.ts has no "${from}"`)
      source = source.replace(from, to)
    }
    return { ...loaded, source }
  },
})
