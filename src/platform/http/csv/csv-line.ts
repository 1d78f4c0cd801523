// One line of a CSV file by RFC 4180, safe to open in a spreadsheet. People get it as spreadsheets of their region read it,
// programs always with commas and UTC.

/** A number is written as it is; text is checked, as a stranger may have chosen it. */
export type Cell = string | number | bigint | Decimal | Moment | null

/** Written as it is, too: `-12.50` as text would get a quote in front, and no program would add it up. */
export type Decimal = { readonly decimal: string }

/** A time in ISO 8601, UTC. People get it by the clock of their time zone. */
export type Moment = { readonly moment: string }

export type CsvStyle = {
  readonly separator: ',' | ';'
  readonly decimalPoint: '.' | ','
  /** Undefined: times stay as they are. */
  readonly timeZone?: string
}

export const plainStyle: CsvStyle = { separator: ',', decimalPoint: '.' }

/** `=`, `+`, `-`, `@` begin a formula, their full-width forms do in some programs, and so do they after white space. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
const needsQuotes = /[",;\r\n\t]|^\s|\s$/

/** With its line end. A text that a spreadsheet would take for a formula gets a ' in front. */
export function csvLine(cells: readonly Cell[], style = plainStyle): string {
  return `${cells.map((cell) => csvCell(cell, style)).join(style.separator)}\r\n`
}

function csvCell(cell: Cell, { decimalPoint, timeZone }: CsvStyle): string {
  if (cell === null) return ''
  if (typeof cell === 'object' && 'moment' in cell)
    return timeZone === undefined ? cell.moment : localTime(cell.moment, timeZone)
  if (typeof cell === 'object') return cell.decimal.replace('.', decimalPoint)
  if (typeof cell !== 'string') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-15 14:05:09`, which every spreadsheet takes for a time. */
function localTime(moment: string, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  clocks.set(timeZone, clock)
  return clock.format(new Date(moment))
}
