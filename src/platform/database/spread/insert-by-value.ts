import { statementName, type Sql } from '../sql.ts'

// To plan `insert … select`, Citus locks every shard of the table, whoever the merchant is, so while one shard moved nobody
// could pay. For `insert … values` it locks only the shard that gets the rows. So on a cluster Florin first selects the
// rows, as text, and then inserts them by value in the same transaction.

type Row = Readonly<Record<string, unknown>>

type Halves = {
  readonly select: Sql
  /** Of the rows that `select` found: at least one. */
  readonly insert: (rows: readonly Row[]) => Sql
}

const shape =
  /^\s*(insert into [\w.]+(?: as \w+)? \(([^)]*)\))\s*(select\b[^]*?)\s*((?:\bon conflict\b|\breturning\b)[^]*)?$/

export function isInsertSelect({ text }: Pick<Sql, 'text'>): boolean {
  return shape.test(text)
}

function splitInsert({ text, values, name }: Sql): Halves | undefined {
  const found = shape.exec(text)
  if (!found) return undefined
  const [, into = '', columns = '', selected = '', rest = ''] = found
  const names = columns.split(',').map((_, index) => `c${index}`)
  const asText = names.map((column) => `${column}::text`).join(', ')
  const select = keepUsed(`select ${asText} from (${selected}) as given (${names.join(', ')})`, values, 0)
  return {
    select: { ...select, name: name === undefined ? undefined : statementName(select.text) },
    insert(rows) {
      const given = rows.flatMap((row) => names.map((column) => row[column]))
      const tuples = rows.map(
        (_, at) => `(${names.map((_name, index) => `$${at * names.length + index + 1}`).join(', ')})`,
      )
      const end = keepUsed(rest, values, given.length)
      return {
        text: `${into} values ${tuples.join(', ')} ${end.text}`.trim(),
        values: [...given, ...end.values],
        name: undefined,
      }
    },
  }
}

/** Numbers the parameters of a part of a statement from `offset` + 1 on, without those that it does not use. */
function keepUsed(text: string, values: readonly unknown[], offset: number): Pick<Sql, 'text' | 'values'> {
  const used: number[] = []
  const numbered = text.replaceAll(/\$(\d+)/g, (_, digits: string) => {
    const number = Number(digits)
    if (!used.includes(number)) used.push(number)
    return `$${offset + used.indexOf(number) + 1}`
  })
  return { text: numbered, values: used.map((number) => values[number - 1]) }
}

/** A statement has 65,535 parameters at most. */
const parametersMax = 50_000

function slicesOf(rows: readonly Row[]): Row[][] {
  const size = Math.floor(parametersMax / Object.keys(rows[0] ?? {}).length)
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  )
}

/** The rows of each statement, in order. `send` sends several in one write, in a transaction. */
export async function sendByValue<R>(
  statements: readonly Sql[],
  send: (statements: readonly Sql[]) => Promise<R[][]>,
): Promise<R[][]> {
  const answers: R[][] = []
  let next: Sql[] = []
  for (const statement of statements) {
    const halves = splitInsert(statement)
    if (halves === undefined) {
      next.push(statement)
      continue
    }
    const answered = await send([...next, halves.select])
    const rows = answered.pop() ?? []
    answers.push(...answered)
    next = []
    const [insert, ...more] = slicesOf(rows as Row[]).map((slice) => halves.insert(slice))
    if (insert === undefined) answers.push([])
    else if (more.length === 0) next.push(insert)
    else answers.push((await send([insert, ...more])).flat())
  }
  if (next.length > 0) answers.push(...(await send(next)))
  return answers
}
