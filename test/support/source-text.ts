// Tells code from comments, strings and regular expressions, so that a rule about code is not broken by a sentence
// that speaks of it. Lines and columns stay where they were.

export type SourceText = {
  /** Comments are blanks. */
  readonly withoutComments: string
  /** Comments, the insides of strings and regular expressions are blanks. */
  readonly code: string
  /** Every string and template, with the tag in front of it if there is one; what is put in reads as `?`. */
  readonly strings: readonly { readonly tag: string; readonly text: string }[]
  /** Every literal regular expression, and the line it is on. */
  readonly patterns: readonly { readonly source: string; readonly flags: string; readonly line: number }[]
}

type Literal = { readonly tag: string; text: string; readonly depth: number }

const known = new Map<string, SourceText>()

/** Ten rules ask about the same files. */
export function readSource(source: string): SourceText {
  const text = known.get(source) ?? read(source)
  known.set(source, text)
  return text
}

function read(source: string): SourceText {
  const withoutComments = source.split('')
  const code = source.split('')
  const strings: { tag: string; text: string }[] = []
  const patterns: SourceText['patterns'][number][] = []
  const templates: Literal[] = []
  let depth = 0
  let at = 0

  const blank = (target: string[], from: number, to: number): void => {
    for (let index = from; index < to; index += 1) if (target[index] !== '\n') target[index] = ' '
  }

  /** From inside a template to its end or to the next `${`. */
  const readTemplate = (template: Literal): void => {
    const from = at
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) {
      at += source[at] === '\\' ? 2 : 1
    }
    template.text += source.slice(from, at)
    blank(code, from, at)
    if (source[at] === '`') {
      strings.push({ tag: template.tag, text: template.text })
      templates.pop()
      at += 1
      return
    }
    template.text += '?'
    depth += 1
    at += 2
  }

  while (at < source.length) {
    const letter = source[at] ?? ''
    const two = source.slice(at, at + 2)
    if (two === '//' || two === '/*') {
      const end = two === '//' ? indexOrEnd(source, '\n', at) : indexOrEnd(source, '*/', at + 2) + 2
      blank(withoutComments, at, end)
      blank(code, at, end)
      at = end
    } else if (letter === "'" || letter === '"') {
      const end = endOfString(source, at, letter)
      strings.push({ tag: '', text: source.slice(at + 1, end - 1) })
      blank(code, at + 1, end - 1)
      at = end
    } else if (letter === '/' && startsRegex(code, at)) {
      const end = endOfRegex(source, at)
      const flags = /^[a-z]*/.exec(source.slice(end, end + 9))?.[0] ?? ''
      const line = source.slice(0, at).split('\n').length
      patterns.push({ source: source.slice(at + 1, end - 1), flags, line })
      blank(code, at + 1, end - 1)
      at = end
    } else if (letter === '`') {
      const tag = /([\w$]+)$/.exec(code.slice(Math.max(0, at - 40), at).join(''))?.[1] ?? ''
      templates.push({ tag, text: '', depth })
      at += 1
      readTemplate(templates.at(-1) as Literal)
    } else {
      if (letter === '{') depth += 1
      if (letter === '}') depth -= 1
      at += 1
      const open = templates.at(-1)
      if (letter === '}' && open?.depth === depth) readTemplate(open)
    }
  }
  return { withoutComments: withoutComments.join(''), code: code.join(''), strings, patterns }
}

function indexOrEnd(source: string, what: string, from: number): number {
  const index = source.indexOf(what, from)
  return index === -1 ? source.length : index
}

function endOfString(source: string, start: number, quote: string): number {
  let at = start + 1
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

/** A slash divides after a value and opens a regular expression after anything else. */
function startsRegex(code: readonly string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 60), at)
    .join('')
    .trimEnd()
  return before === '' || /[(,=:[!&|?{};>~]$|\b(return|case|of|in|typeof)$/.test(before)
}

function endOfRegex(source: string, start: number): number {
  let inClass = false
  let at = start + 1
  while (at < source.length && source[at] !== '\n' && (inClass || source[at] !== '/')) {
    if (source[at] === '[') inClass = true
    if (source[at] === ']') inClass = false
    at += source[at] === '\\' ? 2 : 1
  }
  return at + 1
}
