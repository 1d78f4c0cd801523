// One line of a CSV file by RFC 4180, safe to open in a spreadsheet.

/** A number is written as it is; text is looked at, as somebody else may have chosen it. */
export type Cell = string | number | bigint | Decimal | null

/** Written as it is, too: `-12.50` as text would get a quote in front, and no program would add it up. */
export type Decimal = { readonly decimal: string }

/** `=`, `+`, `-`, `@` begin a formula, their full-width forms do in some programs, and so do they after white space. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
const needsQuotes = /[",;\r\n\t]|^\s|\s$/

/** With its line end. A text that a spreadsheet would take for a formula gets a ' in front. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.decimal
  if (typeof cell !== 'string') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
