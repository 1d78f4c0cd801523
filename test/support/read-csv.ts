/** Reads CSV by RFC 4180, and throws where it is none. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    row.push(cell)
    if (text[end] === ',') {
      at = end + 1
      continue
    }
    if (!text.startsWith('\r\n', end)) throw new Error(`A cell that does not end, at ${end}`)
    rows.push(row)
    row = []
    at = end + 2
  }
  return rows
}

function readPlain(text: string, from: number): [string, number] {
  const match = /[,\r\n"]/g
  match.lastIndex = from
  const end = match.exec(text)?.index ?? text.length
  return [text.slice(from, end), end]
}

function readQuoted(text: string, from: number): [string, number] {
  let at = from + 1
  let cell = ''
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new Error(`A quote that does not end, from ${from}`)
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return [cell, quote + 1]
    cell += '"'
    at = quote + 2
  }
}
