// Bugs in statements: each condition is dropped once, each lock once, each order turned round once. What a condition
// guards (a tenant, a mode, a state, an amount) must have a test that fails without it.

type Found = { readonly from: number; readonly to: number; readonly replacement: string }

export function sqlMutantsOf(text: string): Found[] {
  return templatesOf(text).flatMap(({ from, to }) => {
    const statement = text.slice(from, to)
    return [...conditions(statement), ...words(statement)].map((found) => ({
      from: from + found.from,
      to: from + found.to,
      replacement: found.replacement,
    }))
  })
}

/** The insides of all sql`…`, those within others too. */
function templatesOf(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/\bsql`/g)].map((match) => {
    const from = match.index + match[0].length
    return { from, to: endOfTemplate(text, from) }
  })
}

function endOfTemplate(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '`') {
    if (text.startsWith('${', at)) at = endOfValue(text, at + 2)
    else at += text[at] === '\\' ? 2 : 1
  }
  return at
}

function endOfValue(text: string, from: number): number {
  let depth = 1
  let at = from
  while (at < text.length && depth > 0) {
    if (text[at] === '`') at = endOfTemplate(text, at + 1)
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    at += 1
  }
  return at
}

const clause =
  /^(and|or|order by|limit|for update|for share|for no key|group by|returning|on conflict|union|set|where|join|left join|cross join)\b/

// Also at the beginning of a part that stands in a where elsewhere: `merchant_id = ${…} and mode = ${…}`.
const conditionBegins =
  /^\s*(?=(?:[\w."]+(?:\(\w+\))?|\([\w, ]+\)) (?:[=<>]|<=|>=|<>|in|is|like) )|\b(where|and|on)\s+/g

/** `where a and b and c`: without a, without b, without c. A lone one becomes true. */
function conditions(statement: string): Found[] {
  return [...statement.matchAll(conditionBegins)].flatMap((match) => {
    const word = match[1] ?? ''
    if (word === 'on' && /^conflict\b/.test(statement.slice(match.index + match[0].length))) return []
    if (isInsideValue(statement, match.index) || isBetween(statement, match.index)) return []
    const from = match.index + match[0].length
    const to = endOfCondition(statement, from)
    if (statement.slice(from, to).trim() === '' || statement.slice(from, to).trim() === 'true') return []
    return [{ from, to, replacement: 'true' }]
  })
}

function endOfCondition(statement: string, from: number): number {
  let depth = 0
  let at = from
  while (at < statement.length) {
    if (statement.startsWith('${', at)) {
      at = endOfValue(statement, at + 2)
      continue
    }
    if (statement[at] === '(') depth += 1
    if (statement[at] === ')' && (depth -= 1) < 0) break
    const begins = depth === 0 && /\s/.test(statement[at - 1] ?? '') && at > from
    if (begins && clause.test(statement.slice(at))) break
    at += 1
  }
  return from + statement.slice(from, at).trimEnd().length
}

/** `between a and b` has an `and` of its own, and so have comments. */
function isBetween(statement: string, at: number): boolean {
  const line = statement.slice(statement.lastIndexOf('\n', at) + 1, at)
  return /\bbetween\s+\S+\s+$/.test(statement.slice(0, at)) || line.includes('--')
}

function isInsideValue(statement: string, at: number): boolean {
  const opened = statement.lastIndexOf('${', at)
  return opened !== -1 && endOfValue(statement, opened + 2) > at
}

const replaced: readonly (readonly [RegExp, string])[] = [
  [/\bfor (no key )?update( of \w+(, \w+)*)?( skip locked)?(?!\w)/g, ''],
  [/\bfor share( skip locked)?(?!\w)/g, ''],
  [/\bskip locked\b/g, ''],
  [/\bon conflict do nothing\b/g, ''],
  [/\bdesc\b/g, 'asc'],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/\bis not null\b/g, 'is null'],
  [/\bnot exists\b/g, 'exists'],
]

function words(statement: string): Found[] {
  return replaced.flatMap(([pattern, replacement]) =>
    [...statement.matchAll(pattern)]
      .filter((match) => !isInsideValue(statement, match.index) && !isBetween(statement, match.index))
      .map((match) => ({ from: match.index, to: match.index + match[0].length, replacement })),
  )
}
