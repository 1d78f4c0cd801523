import { inflateSync } from 'node:zlib'

// A PDF of ours as a reader sees it: its objects at the places that its table names, and its text by the table of letters, which is
// what searching and copying use.

export type ReadPdf = {
  /** Stretch by stretch in the order of the file; within a stretch from left to right, as on paper. */
  readonly texts: string[]
  readonly pages: number
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
  const rules = drawn.join('').match(/ l S$/gm)?.length ?? 0
  return { texts, pages: pages.length, rules, source }
}

/** By number; throws when one does not stand where the table says. */
export function objectsOf(source: string): Map<string, string> {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(source)?.[1])
  if (source.slice(start, start + 5) !== 'xref\n') throw new Error('The table is not where it should be')
  const offsets = [...source.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
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
