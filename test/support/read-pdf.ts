import { inflateSync } from 'node:zlib'

// A PDF of ours as a reader sees it: its objects at the places that its table names, and its text by the table of e-mails, which is
// what searching and copying use.

export type ReadPdf = {
  /** Stretch by stretch in the order of the file; within a stretch from left to right, as on paper. */
  readonly texts: string[]
  readonly pages: number
  /** The same with where each begins and how large it is: `72 748 15 Corner shop`, page by page. */
  readonly placed: string[][]
  /** Glyph by glyph: where a reader puts it, at size 1 without its font: `72 748 36`. */
  readonly glyphs: string[]
  /** Lines across the page. */
  readonly rules: number
  readonly source: string
}

export function readPdf(pdf: Buffer): ReadPdf {
  const source = pdf.toString('latin1')
  const objects = objectsOf(source)
  const content = [...objects.values()]
  const letters = new Map<string, Map<string, string>>()
  const resources = content.find((object) => object.includes('/Font <<')) ?? ''
  for (const [, name = '', number = ''] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const toUnicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number) ?? '')?.[1] ?? ''
    letters.set(name, lettersOf(unpack(objects.get(toUnicode) ?? '')))
  }
  const pages = content.filter((object) => object.includes('/Type /Page '))
  const drawn = pages.map((page) => {
    const number = /\/Contents (\d+) 0 R/.exec(page)?.[1] ?? ''
    return unpack(objects.get(number) ?? '')
  })
  const texts = drawn.flatMap((page) => textsOf(page, letters))
  const placed = drawn.map((page) => placedIn(page, textsOf(page, letters)))
  const glyphs = drawn.flatMap((page) => glyphsIn(page, (name) => fontOf(objects, resources, name)))
  const rules = drawn.join('').match(/ l S$/gm)?.length ?? 0
  return { texts, placed, glyphs, pages: pages.length, rules, source }
}

/** By number; throws when one does not stand where the table says. */
export function objectsOf(source: string): Map<string, string> {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(source)?.[1])
  if (source.slice(start, start + 5) !== 'xref\n') throw new Error('The table is not where it should be')
  const offsets = [...source.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  const size = /\nxref\n0 (\d+)\n[^]*\/Size \1 /.exec(source)?.[1]
  if (Number(size) !== offsets.length + 1) throw new Error('The table is not as long as it says')
  return new Map(
    offsets.map((offset, index) => {
      const head = `${index + 1} 0 obj\n`
      if (!source.startsWith(head, offset)) throw new Error(`Object ${index + 1} is not where it should be`)
      const end = offsets[index + 1] ?? start
      return [String(index + 1), source.slice(offset + head.length, end - '\nendobj\n'.length)]
    }),
  )
}

export function unpack(object: string): string {
  const length = Number(/\/Length (\d+)/.exec(object)?.[1])
  const at = object.indexOf('stream\n') + 'stream\n'.length
  if (object.slice(at + length) !== '\nendstream') throw new Error('A stream is not as long as it says')
  return inflateSync(Buffer.from(object.slice(at, at + length), 'latin1')).toString('latin1')
}

function lettersOf(map: string): Map<string, string> {
  return new Map(
    [...map.matchAll(/^<([\da-f]{4})> <([\da-f]+)>$/gm)].map(([, code = '', hex = '']) => [
      code,
      Buffer.from(hex, 'hex').swap16().toString('utf16le'),
    ]),
  )
}

function textsOf(content: string, letters: Map<string, Map<string, string>>): string[] {
  return [...content.matchAll(/BT \/(F\d+) [^]*?ET\n/g)].map(([run, font = '']) =>
    [...run.matchAll(/<([\da-f]{4})>/g)].map(([, code = '']) => letters.get(font)?.get(code) ?? '').join(''),
  )
}

function runsOf(content: string): RegExpMatchArray[] {
  return [...content.matchAll(/BT \/(F\d+) (\S+) Tf\n([^]*?)ET\n/g)]
}

function placedIn(content: string, texts: readonly string[]): string[] {
  return runsOf(content).map(([, , size = '', run = ''], index) => {
    const [, x = '', y = ''] = /^1 0 0 1 (\S+) (\S+) Tm$/m.exec(run) ?? []
    return `${Math.round(Number(x))} ${Math.round(Number(y))} ${size} ${texts[index]}`
  })
}

type Font = { readonly glyphOf: (code: number) => number; readonly widths: readonly number[] }

function fontOf(objects: Map<string, string>, resources: string, name: string): Font {
  const follow = (object: string, key: string): string =>
    objects.get(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(object)?.[1] ?? '') ?? ''
  const descendant = follow(follow(resources, name), 'DescendantFonts')
  const map = Buffer.from(unpack(follow(descendant, 'CIDToGIDMap')), 'latin1')
  const widths = (/\/W \[0 \[([^\]]*)\]/.exec(descendant)?.[1] ?? '').split(' ').map(Number)
  return { glyphOf: (code) => map.readUInt16BE(code * 2), widths }
}

/** As the standard says: a place for what follows, then each glyph moves on by its width less what stands behind it. */
function glyphsIn(content: string, fontNamed: (name: string) => Font): string[] {
  return runsOf(content).flatMap(([, name = '', size = '', run = '']) => {
    const { glyphOf, widths } = fontNamed(name)
    let [x, y] = [Number.NaN, Number.NaN]
    const found: string[] = []
    for (const [, left, down, code, less] of run.matchAll(
      /1 0 0 1 (\S+) (\S+) Tm|<([\da-f]{4})>(-?[\d.]*)/g,
    )) {
      if (code === undefined) [x, y] = [Number(left), Number(down)]
      else {
        const number = Number.parseInt(code, 16)
        found.push(`${x.toFixed(1)} ${y.toFixed(1)} ${glyphOf(number)}`)
        x += (((widths[number] ?? 0) - Number(less)) / 1000) * Number(size)
      }
    }
    return found
  })
}
