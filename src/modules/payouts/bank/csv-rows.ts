import { UnreadableStatement } from './bank-entry.ts'

// Rows of a CSV that comes in pieces. Quotes are those of RFC 4180; the separator is whichever of semicolon, comma and tab makes
// the most columns.

const rowMax = 100_000

export type CsvReader = { write(piece: string): void; end(): void }

/** `take` also gets the line of the file that a row begins in. */
export function makeCsvReader(separator: string, take: (cells: string[], line: number) => void): CsvReader {
  let cells: string[] = []
  let cell = ''
  /** Nothing but white space. Trimming the cell at each quote would take the square of its length. */
  let isBlank = true
  let isQuoted = false
  /** Just after a quote within quotes: it ends them, or is the first of two that mean one. */
  let wasQuote = false
  let size = 0
  let [line, rowLine] = [1, 1]

  function startCell(): void {
    cell = ''
    isBlank = true
  }

  function add(letter: string): void {
    cell += letter
    isBlank &&= letter.trim() === ''
  }

  function endRow(): void {
    cells.push(cell.trim())
    if (cells.length > 1 || cells[0] !== '') take(cells, rowLine)
    cells = []
    startCell()
    size = 0
    rowLine = line
  }

  function readLetter(letter: string): void {
    if (letter === '\n') line += 1
    if (wasQuote) {
      wasQuote = false
      if (letter === '"') return add(letter)
      isQuoted = false
    }
    if (isQuoted) {
      if (letter === '"') wasQuote = true
      else add(letter)
    } else if (letter === '"' && isBlank) {
      cell = ''
      isQuoted = true
    } else if (letter === separator) {
      cells.push(cell.trim())
      startCell()
    } else if (letter === '\n') endRow()
    else if (letter !== '\r') add(letter)
  }

  return {
    write(piece) {
      for (let at = 0; at < piece.length; at += 1) {
        size += 1
        if (size > rowMax) throw new UnreadableStatement('The file is no CSV: one of its rows does not end')
        readLetter(piece[at] ?? '')
      }
    },
    end() {
      if (isQuoted && !wasQuote) throw new UnreadableStatement('The file is cut off within quotes')
      if (cells.length > 0 || cell !== '') endRow()
    },
  }
}

/** Judged by the beginning of the file. */
export function separatorOf(text: string): string {
  const rows = text.split(/\r?\n/).slice(0, 40)
  const columns = (separator: string): number =>
    Math.max(...rows.map((row) => row.replace(/"[^"]*"/g, '').split(separator).length))
  return [';', '\t', ','].toSorted((one, other) => columns(other) - columns(one))[0] ?? ','
}
