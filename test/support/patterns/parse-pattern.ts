// Reads a regular expression into a tree for find-ambiguity.ts. A character class stays as written: the engine itself
// decides which characters it holds.

export type Node =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }
  /** Takes no character, but may fail. `before`: a look-behind for one character; `ahead`: the content of a look-ahead. */
  | { readonly kind: 'assert'; readonly before?: string; readonly ahead?: Node; readonly isStart?: boolean }

export function parsePattern(source: string, flags: string): Node {
  let at = 0
  const groups: string[] = []

  function alternatives(): Node {
    const parts: Node[] = [sequence()]
    while (source[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'any', parts }
  }

  function sequence(): Node {
    const parts: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified())
    return { kind: 'all', parts }
  }

  function quantified(): Node {
    const part = single()
    const [whole, sign, least, comma, most] =
      /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/.exec(source.slice(at, at + 20)) ?? []
    if (whole === undefined) return part
    at += whole.length
    const min = sign ? (sign === '+' ? 1 : 0) : Number(least)
    const max = sign ? (sign === '?' ? 1 : Infinity) : comma ? Number(most || Infinity) : min
    return { kind: 'repeat', part, min, max }
  }

  function single(): Node {
    const rest = source.slice(at)
    if (rest.startsWith('(')) return group(rest)
    if (rest.startsWith('^')) return take(1, { kind: 'assert', ...startOfLine(flags) })
    if (rest.startsWith('$')) return take(1, { kind: 'assert' })
    if (/^\\b/i.test(rest)) return take(2, wordBoundary(rest))
    const reference = /^\\(?:([1-9]\d*)|k<\w+>)/.exec(rest)
    if (reference) return take(reference[0].length, sameAgain(groups[Number(reference[1]) - 1]))
    const one = character.exec(rest)
    if (!one) throw new Error(`/${source}/ can't be read from ${rest.slice(0, 20)} on`)
    return take(one[0].length, { kind: 'one', source: one[0] })
  }

  function group(rest: string): Node {
    const [opening = ''] = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(rest) ?? []
    at += opening.length
    const from = at
    const place = /^\((?:\?<\w+>)?$/.test(opening) ? groups.push('') : 0
    const inside = alternatives()
    const text = source.slice(from, at)
    if (place > 0) groups[place - 1] = text
    at += 1
    if (opening === '(?=' || opening === '(?!') return { kind: 'assert', ahead: inside }
    if (!/^\(\?<[=!]/.test(opening)) return inside
    if (/[*+]|\{\d+,\}/.test(text.replace(character, '')))
      throw new Error(`/${source}/ repeats in a look-behind`)
    const isOne = character.exec(text)?.[0] === text
    return isOne ? { kind: 'assert', before: `${opening}${text})` } : { kind: 'assert' }
  }

  function take(length: number, node: Node): Node {
    at += length
    return node
  }

  return alternatives()
}

const character =
  /^(?:\[\^?(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\.|[\ud800-\udbff][\udc00-\udfff]|.)/is

/** A reference to a group: one character of its kind, or anything. */
function sameAgain(group = ''): Node {
  if (character.exec(group)?.[0] === group) return { kind: 'one', source: group }
  return { kind: 'repeat', part: { kind: 'one', source: '[^]' }, min: 0, max: Infinity }
}

function startOfLine(flags: string): Partial<Extract<Node, { kind: 'assert' }>> {
  return flags.includes('m') ? { before: '(?<=[\\r\\n\\u2028\\u2029])' } : { isStart: true }
}

/** Before a letter or digit there is none, and the other way round. */
function wordBoundary(rest: string): Node {
  const next = rest.slice(2).replace(/^\(\??:?/, '')
  return rest.startsWith('\\b') && /^(?:[a-z\d_]|\\[wd])/i.test(next)
    ? { kind: 'assert', before: '(?<=[^\\w])' }
    : { kind: 'assert' }
}
