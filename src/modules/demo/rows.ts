// Rows that wait to be written, by table.

export type Row = Readonly<Record<string, unknown>>

export class DemoRows {
  readonly merchantId: number
  readonly #rows = new Map<string, Row[]>()

  constructor(merchantId: number) {
    this.merchantId = merchantId
  }

  add(table: string, row: Row): void {
    const rows = this.#rows.get(table)
    if (rows) rows.push(row)
    else this.#rows.set(table, [row])
  }

  /** Tables in the order in which they were first written to. */
  tables(): [table: string, rows: readonly Row[]][] {
    return [...this.#rows]
  }
}
