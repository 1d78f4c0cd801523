// Everything a person sees is written with this tag: values are escaped unless they are already Html, so a title or a
// name can't become markup. The output is always ASCII.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

export type HtmlValue = Html | string | number | bigint | false | null | undefined | readonly HtmlValue[]

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = squeezed.get(strings) ?? squeeze(strings)
  let text = parts[0] ?? ''
  // No test: nothing is drawn after the last value
  for (let index = 0; index < values.length; index += 1) {
    text += render(values[index]) + (parts[index + 1] ?? '')
  }
  return new Html(text)
}

const squeezed = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Takes the indentation out of our templates: it was a seventh of a page's bytes. */
function squeeze(strings: TemplateStringsArray): readonly string[] {
  const parts = strings.map((part) =>
    narrow(part.replace(/\s*\n\s*/g, '\n').replace(/[^\0-\x7f]/gu, entityOf)),
  )
  squeezed.set(strings, parts) // No test: a cache: the result is the same
  return parts
}

/** For ASCII that this program wrote itself, such as a stylesheet. Never for input. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** For parts of a page that depend on one object alone, such as the words of a language: drawn once for each. */
export function drawOnce<Key extends object>(draw: (key: Key) => Html): (key: Key) => Html {
  const drawn = new WeakMap<Key, Html>()
  return (key) => {
    const known = drawn.get(key)
    if (known !== undefined) return known // No test: a cache: the result is the same
    const made = draw(key)
    drawn.set(key, made)
    return made
  }
}

// Stands around the name of a value in a part that is drawn around it. No text of ours contains it, and escaping leaves
// it as it is.
const hole = '\0'

export type Holes<Name extends string> = { readonly [Each in Name]: Html }

/** As drawOnce, for parts in which only a few values change, so that nothing else of them is drawn each time. */
export function drawAround<Key extends object, Name extends string>(
  draw: (key: Key, holes: Holes<Name>) => Html,
): (key: Key, values: { readonly [Each in Name]: HtmlValue }) => Html {
  const named = new Proxy({} as Holes<Name>, { get: (_, name) => trusted(`${hole}${String(name)}${hole}`) })
  const drawn = new WeakMap<Key, readonly string[]>()
  return (key, values) => {
    let parts = drawn.get(key)
    if (parts === undefined) {
      parts = draw(key, named).text.split(hole)
      drawn.set(key, parts) // No test: a cache: the result is the same
    }
    let text = parts[0] ?? ''
    // Every second part is the name of a value.
    for (let index = 1; index < parts.length; index += 2) {
      text += render(values[parts[index] as Name]) + (parts[index + 1] ?? '')
    }
    return trusted(text)
  }
}

const special = /[&<>"'`\u0080-\uffff]/
const eachSpecial = /[&<>"'`]|[^\0-\x7f]/gu

/**
 * Letters beyond ASCII become entities too. A single one of them, such as the ellipsis, would make a whole page two bytes
 * wide in memory, and its length in bytes would have to be counted: 50 µs to draw and encode a page instead of 39.
 */
export function escape(text: string): string {
  if (!special.test(text)) return text // No test: saves time: other text stays as it is
  const known = escapedBefore.get(text)
  if (known !== undefined) return known // No test: a cache: the result is the same
  const escaped = narrow(text.replace(eachSpecial, (letter) => entities[letter] ?? entityOf(letter)))
  if (text.length <= keptLengthMax) keepEscaped(text, escaped)
  return escaped
}

// Our own sentences have apostrophes and letters beyond ASCII, and every page repeats them.
const escapedBefore = new Map<string, string>()
const keptMax = 1_000
const keptLengthMax = 300

/** Forgets all when it is full: our sentences are back with the next page. */
function keepEscaped(text: string, escaped: string): void {
  if (escapedBefore.size >= keptMax) escapedBefore.clear() // No test: bounds the memory
  escapedBefore.set(text, escaped)
}

/**
 * V8 stores a text with two bytes a letter when it was made from one with letters beyond Latin-1, even when none of them
 * is left. Reading it back from bytes makes it one byte a letter.
 */
function narrow(ascii: string): string {
  return Buffer.from(ascii, 'latin1').toString('latin1')
}

/** Browsers read the entities 128 to 159 as Windows-1252 letters instead of control characters: those are replaced. */
function entityOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  return code < 0xa0 ? '&#65533;' : `&#${code};`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escape(value) // No test: saves time: most values are text
  if (value === false || value === null || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return escape(String(value))
}
