/** Whether a client would rather have JSON than a page. A browser says text/html; saying nothing counts as a browser. */
export function prefersJson(accept: string | undefined): boolean {
  return quality(accept, 'application/json') > quality(accept, 'text/html')
}

function quality(accept: string | undefined, type: string): number {
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
    if (name !== type) continue
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const q = given === undefined ? 1 : Number(given.slice(2))
    return Number.isFinite(q) ? q : 0
  }
  return 0
}
