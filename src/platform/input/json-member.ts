// Reads a member of a JSON text without parsing it: no number is rounded, and no nesting is too deep, while JSON.parse
// with a reviver calls itself once per level and runs out of stack at some 2,000.

/** The text of a member's value in the text of a JSON object. Given twice, the last counts, as it does for JSON.parse. */
export function memberText(object: string, name: string): string {
  let found = ''
  let key = ''
  let valueStart = -1
  let depth = 0
  for (let at = 0; at < object.length; at += 1) {
    const character = object[at]
    if (character === '"') {
      const end = stringEnd(object, at)
      if (depth === 1 && valueStart === -1) key = object.slice(at, end)
      at = end - 1
    } else if (character === '{' || character === '[') {
      depth += 1
    } else if (character === ':' && depth === 1) {
      valueStart = at + 1
    } else if ((character === ',' && depth === 1) || character === '}' || character === ']') {
      if (depth === 1 && isKey(key, name)) found = object.slice(valueStart, at).trim()
      if (depth === 1) [key, valueStart] = ['', -1]
      if (character !== ',') depth -= 1
    }
  }
  return found
}

/** A name that appears twice in one object of a valid JSON text. Which of the two counts differs between parsers. */
export function repeatedName(json: string, parsed: unknown): string | undefined {
  return countNames(json) === countKeys(parsed) ? undefined : findRepeated(json)
}

/** JSON.parse keeps one of two. Counting takes half the time of comparing. */
function countNames(json: string): number {
  let count = 0
  for (let at = json.indexOf('"'); at !== -1;) {
    const end = stringEnd(json, at)
    if (isFollowedByColon(json, end)) count += 1
    at = json.indexOf('"', end)
  }
  return count
}

/** Not by calling itself: a text may be nested 30,000 levels deep. */
function countKeys(parsed: unknown): number {
  let count = 0
  const open = [parsed]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Object.values(value)
    if (!Array.isArray(value)) count += inner.length
    for (const one of inner) if (typeof one === 'object') open.push(one)
  }
  return count
}

function findRepeated(json: string): string | undefined {
  // The names of each object that is open; undefined for a list.
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    const end = stringEnd(json, at)
    const names = open.at(-1)
    if (names && isFollowedByColon(json, end)) {
      const name = nameOf(json.slice(at, end))
      if (names.has(name)) return name
      names.add(name)
    }
    at = end - 1
  }
  return undefined
}

function isFollowedByColon(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\t' || json[at] === '\r') at += 1
  return json[at] === ':'
}

function nameOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
}

/** A key may be written with escapes: "\u0061mount" is amount. */
function isKey(written: string, name: string): boolean {
  return written === `"${name}"` || (written.includes('\\') && JSON.parse(written) === name)
}

/** Behind the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, place: number): boolean {
  let backslashes = 0
  while (text[place - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
