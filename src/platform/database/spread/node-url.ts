/** The URL of the coordinator, for a node at this host:port instead. */
export function nodeUrl(coordinatorUrl: string, name: string): string {
  const url = new URL(coordinatorUrl)
  const at = name.lastIndexOf(':')
  const host = name.slice(0, at)
  url.searchParams.delete('host')
  url.host = `${host.includes(':') ? `[${host}]` : host}${name.slice(at)}`
  return url.href
}
