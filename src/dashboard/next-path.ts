// The page to open after signing in. Only dashboard paths: never another site, however the path is disguised.

/** A dashboard path, or undefined. `prefix`: the path of BASE_URL. */
export function readNext(text: string | undefined, prefix: string): string | undefined {
  if (text === undefined || text.length > 500 || !text.startsWith(`${prefix}/dashboard`)) return undefined
  // Browsers read a backslash as a slash and skip control characters.
  if (!/^\/[\w/?=&%.,:+~-]*$/.test(text) || text.includes('//')) return undefined
  const read = new URL(text, 'http://florin.invalid')
  if (read.origin !== 'http://florin.invalid') return undefined
  const isOurs = read.pathname === `${prefix}/dashboard` || read.pathname.startsWith(`${prefix}/dashboard/`)
  return isOurs ? read.pathname + read.search : undefined
}
