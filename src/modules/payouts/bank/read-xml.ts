import { UnreadableStatement } from './bank-entry.ts'

// A small reader of XML that comes in pieces. It knows no document types: without them there are no entities to expand, no
// files to include and no addresses to fetch. What is in memory is the piece at hand, however large the file.

export type XmlEvents = {
  /** Names are without their namespace prefix. */
  open(name: string, attributes: string): void
  text(text: string): void
  close(name: string): void
}

export type XmlReader = {
  write(piece: string): void
  /** Throws where the document is not complete. */
  end(): void
}

const depthMax = 50
/** Of one tag, comment or text. A statement has a few hundred letters in each. */
const tokenMax = 100_000

const cdata = '<![CDATA['
const specials = [
  ['<!--', '-->'],
  [cdata, ']]>'],
  ['<?', '?>'],
] as const

/** Unless it is the beginning of a comment or of CDATA, whose rest has not come: -1 then. */
function refuseDeclaration(text: string): -1 {
  if (text.length < cdata.length && !text.includes('>')) return -1
  throw broken('it declares a document type, which a bank statement never does')
}

export function makeXmlReader(events: XmlEvents): XmlReader {
  const path: string[] = []
  let rest = ''
  let isBegun = false
  let isOver = false

  function readText(raw: string): void {
    if (raw.length > tokenMax) throw broken('a text in it is too long')
    if (path.length > 0) events.text(decodeEntities(raw))
    else if (raw.trim() !== '') throw broken('there is text outside of the document')
  }

  function readTag(tag: string): void {
    const end = /^\/([^\s/>"'<=&]+)\s*$/.exec(tag)
    if (end) {
      if (path.pop() !== end[1]) throw broken(`</${end[1]}> closes nothing`)
      events.close(localName(end[1] ?? ''))
      isOver = path.length === 0
      return
    }
    const begin = /^([^\s/>"'<=&!?]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)$/.exec(tag)
    if (!begin) throw broken(`<${tag.slice(0, 40)}> is no tag`)
    if (isOver) throw broken('there is more than one document in it')
    const [, name = '', attributes = '', isEmpty] = begin
    if (path.length >= depthMax) throw broken('its elements are nested too deeply')
    isBegun = true
    events.open(localName(name), attributes)
    if (isEmpty !== '/') return void path.push(name)
    events.close(localName(name))
    isOver = path.length === 0
  }

  /** Where the token that begins at `from` ends; -1 while the rest of it has not come. */
  function readToken(from: number): number {
    const special = specials.find(([begin]) => rest.startsWith(begin, from))
    if (!special && rest[from + 1] === '!') return refuseDeclaration(rest.slice(from))
    const [begin, end] = special ?? ['<', '>']
    const at = special ? rest.indexOf(end, from + begin.length) : tagEnd(rest, from)
    if (at === -1) return -1
    const inside = rest.slice(from + begin.length, at)
    if (!special) readTag(inside)
    else if (begin === cdata && path.length > 0) events.text(inside)
    else if (begin === cdata) throw broken('there is text outside of the document')
    return at + end.length
  }

  return {
    write(piece) {
      rest += piece
      let from = 0
      for (;;) {
        const open = rest.indexOf('<', from)
        if (open === -1) break
        if (open > from) readText(rest.slice(from, open))
        from = open
        const next = readToken(open)
        if (next === -1) break
        from = next
      }
      rest = rest.slice(from)
      if (rest.length > tokenMax) throw broken('a part of it is too long')
    },
    end() {
      if (rest !== '') readText(rest)
      if (!isBegun) throw broken('there is nothing in it')
      if (!isOver || rest.includes('<')) throw broken('its end is missing')
    },
  }
}

/** A `>` within quotes ends nothing. */
function tagEnd(text: string, from: number): number {
  let quote = ''
  // No test: behind the end is no letter
  for (let at = from + 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return -1
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,10}))?;?/gi, (all, decimal, hex, name) => {
    const code = decimal === undefined ? (hex === undefined ? undefined : parseInt(hex, 16)) : Number(decimal)
    const letter = code === undefined ? named[name] : letterOf(code)
    if (letter === undefined || !all.endsWith(';'))
      throw broken(`${all} is an entity that it doesn't declare`)
    return letter
  })
}

/** Not every number is a letter that XML allows. */
function letterOf(code: number): string | undefined {
  const isAllowed = code >= 0x20 || code === 9 || code === 10 || code === 13
  const isHalf = code >= 0xd800 && code <= 0xdfff
  return isAllowed && !isHalf && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

export function attributeOf(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match?.[1] ?? match?.[2] ?? ''
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function broken(why: string): UnreadableStatement {
  return new UnreadableStatement(`The file is not valid XML: ${why}`)
}
