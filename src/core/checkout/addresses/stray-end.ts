// Links are copied out of mails, chats and brackets, and take a full stop or a bracket with them. What a whole link with
// such an end means is clear, so it leads there instead of nowhere.

const withStrayEnd = /^(\/payment\/[0-9]{32}|\/link\/[0-9]{8}[0-9A-Za-z]{16})[\p{P}\p{S}\s]+$/u

const inOrder = /^\/[a-z]+\/[0-9A-Za-z]+$/

/** The address of the payment or the link when that is what a path means; undefined for a path that is in order, or means nothing. */
export function withoutStrayEnd(url: string): string | undefined {
  if (inOrder.test(url)) return undefined // No test: saves time: nearly all are
  const [path = '', query] = url.split(/\?(.*)/s)
  const clean = withStrayEnd.exec(decoded(path))?.[1]
  return clean === undefined ? undefined : clean + (query === undefined ? '' : `?${query}`)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
