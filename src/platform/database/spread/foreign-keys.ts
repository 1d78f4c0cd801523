// Takes the foreign keys out of a migration, as statements that add them afterwards under the names that PostgreSQL gives.

export type Taken = { readonly rest: readonly string[]; readonly foreignKeys: readonly string[] }

export function takeForeignKeys(text: string): Taken {
  const foreignKeys: string[] = []
  const added = /^alter table (?:only )?[\w.]+\s+add constraint \w+\s+foreign key\b[^;]*;/gm
  const withoutAdded = cutAll(text, added, (statement) => foreignKeys.push(statement))
  const rest = eachTable(withoutAdded, (table, body) => {
    const parts = partsOf(body).map((part) => takeFromPart(table, part, foreignKeys))
    return parts.filter((part) => part !== undefined).join(',')
  })
  return { rest: statementsIn(rest), foreignKeys }
}

/** One by one: Citus sends a command to the nodes as the text it came in. */
function statementsIn(text: string): string[] {
  const statements: string[] = []
  let from = 0
  for (const { index } of mask(text).matchAll(/;/g)) {
    statements.push(text.slice(from, index).trim())
    from = index + 1
  }
  return statements
}

/** The part without its foreign key, or nothing when it was one. */
function takeFromPart(table: string, part: string, foreignKeys: string[]): string | undefined {
  const bare = table.split('.').at(-1) ?? table
  const shown = mask(part)
  const whole = /(?:constraint\s+(\w+)\s+)?(foreign key\s*\(([^)]*)\)\s*references\b.*)$/s.exec(shown)
  if (whole) {
    const [, name, rule = '', columns = ''] = whole
    const usual = `${bare}_${columns.split(/\s*,\s*/).join('_')}_fkey`
    foreignKeys.push(`alter table ${table} add constraint ${name ?? usual} ${rule.trim()};`)
    return undefined
  }
  const action = String.raw`(?:\s+on (?:delete|update) (?:cascade|restrict|no action|set null|set default))*`
  const ofColumn = new RegExp(
    String.raw`\s(?:constraint\s+(\w+)\s+)?(references\s+[\w.]+(?:\s*\([^)]*\))?${action})`,
    's',
  )
  const found = ofColumn.exec(shown)
  if (!found) return part
  const [all, name, rule = ''] = found
  const column = /\w+/.exec(shown)?.[0] ?? ''
  foreignKeys.push(
    `alter table ${table} add constraint ${name ?? `${bare}_${column}_fkey`} foreign key (${column}) ${rule};`,
  )
  return part.slice(0, found.index) + part.slice(found.index + all.length)
}

/** Changes the text between the parentheses of each `create table`. */
function eachTable(text: string, change: (table: string, body: string) => string): string {
  const shown = mask(text)
  let out = ''
  let at = 0
  for (const found of shown.matchAll(/\bcreate table (?:if not exists )?([\w.]+)\s*\(/g)) {
    const from = found.index + found[0].length
    const to = endOfParentheses(shown, from)
    out += text.slice(at, from) + change(found[1] ?? '', text.slice(from, to))
    at = to
  }
  return out + text.slice(at)
}

function endOfParentheses(shown: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < shown.length; at += 1) {
    if (shown[at] === '(') depth += 1
    if (shown[at] === ')') depth -= 1
    if (depth === 0) break
  }
  return at
}

/** At the commas outside of parentheses, strings and comments. */
function partsOf(body: string): string[] {
  const shown = mask(body)
  const parts: string[] = []
  let [from, depth] = [0, 0]
  for (let at = 0; at < shown.length; at += 1) {
    if (shown[at] === '(') depth += 1
    if (shown[at] === ')') depth -= 1
    if (shown[at] !== ',' || depth > 0) continue
    parts.push(body.slice(from, at))
    from = at + 1
  }
  return [...parts, body.slice(from)]
}

function cutAll(text: string, pattern: RegExp, cut: (found: string) => void): string {
  let out = ''
  let at = 0
  for (const { index, 0: found } of mask(text).matchAll(pattern)) {
    cut(text.slice(index, index + found.length))
    out += text.slice(at, index)
    at = index + found.length
  }
  return out + text.slice(at)
}

/** Same length, with blanks for anything that isn't SQL: comments, strings, function bodies. */
function mask(text: string): string {
  return text.replaceAll(/--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$/gs, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  )
}
