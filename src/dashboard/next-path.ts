// Where to go after signing in. Only to a page of ours: an address of another site, however it is dressed up, is none.

/** The path when it is one of the dashboard, else undefined. `prefix`: the path of BASE_URL. */
export function readNext(text: string | undefined, prefix: string): string | undefined {
  if (text === undefined || text.length > 500 || !text.startsWith(`${prefix}/dashboard`)) return undefined
  // A backslash is a slash to browsers, and control characters are nothing to them.
  if (!/^\/[\w/?=&%.,:+~-]*$/.test(text) || text.includes('//')) return undefined
  const read = new URL(text, 'http://florin.invalid')
  if (read.origin !== 'http://florin.invalid') return undefined
  const isOurs = read.pathname === `${prefix}/dashboard` || read.pathname.startsWith(`${prefix}/dashboard/`)
  return isOurs ? read.pathname + read.search : undefined
}
