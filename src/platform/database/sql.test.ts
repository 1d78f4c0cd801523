import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { join, merchantOf, planEachTime, sql, type Sql } from './sql.ts'

test('values become parameters and never text', () => {
  const statement = sql`select * from keys where id = ${"'; drop table keys"} and name = ${null}`
  assert.equal(statement.text, 'select * from keys where id = $1 and name = $2')
  assert.deepEqual(statement.values, ["'; drop table keys", null])
})

test('a template without fragments has one statement name, at every call and from every place', () => {
  const here = (id: number): Sql => sql`select ${id}`
  const there = (id: string): Sql => sql`select ${id}`
  assert.equal(here(1).name, here(2).name)
  assert.equal(here(1).name, there('a').name)
  assert.notEqual(here(1).name, sql`select ${1} `.name)
  assert.match(here(1).name ?? '', /^florin_[\w-]{22}$/)
})

test('a template with fragments is named by its whole text, until there are too many', () => {
  assert.equal(sql`select ${sql`now()`}`.name, sql`select now()`.name)
  const names = Array.from({ length: 600 }, (_, count) => {
    const list = join(
      Array.from({ length: count + 1 }, () => sql`1`),
      ', ',
    )
    return sql`select ${list}`.name
  })
  assert.equal(typeof names[0], 'string')
  assert.equal(names[599], undefined)
  assert.equal(join([sql`a`], ' and ').name, undefined)
})

test('fragments are renumbered where they are inserted', () => {
  const filters = join([sql`a = ${1}`, sql`b between ${2} and ${3}`], ' and ')
  const statement = sql`select ${0} from t where ${filters} limit ${4}`
  assert.equal(statement.text, 'select $1 from t where a = $2 and b between $3 and $4 limit $5')
  assert.deepEqual(statement.values, [0, 1, 2, 3, 4])
})

test('an object that only looks like a fragment stays a value', () => {
  const sent = { text: 'drop table keys', values: [], name: undefined }
  const statement = sql`select ${sent}`
  assert.equal(statement.text, 'select $1')
  assert.deepEqual(statement.values, [sent])
})

type Tree = { readonly strings: string[]; readonly values: (number | Tree)[] }

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc
    .array(fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.nat(99), tie('tree')), { maxLength: 5 })
    .chain((values) =>
      fc
        .array(fc.stringMatching(/^[a-z ]{0,5}$/), {
          minLength: values.length + 1,
          maxLength: values.length + 1,
        })
        .map((strings) => ({ strings, values })),
    ),
}))

test('in nested fragments each placeholder keeps its own value', () => {
  fc.assert(
    fc.property(tree, (sample) => {
      const { text, values } = build(sample)
      const filled = text.replace(
        /\$(\d+)/g,
        (_, number: string) => `<${String(values[Number(number) - 1])}>`,
      )
      assert.equal(filled, draw(sample))
      assert.equal(text.match(/\$\d+/g)?.length ?? 0, values.length)
    }),
  )
})

function build({ strings, values }: Tree): Sql {
  const template = Object.assign([...strings], { raw: strings }) as TemplateStringsArray
  return sql(template, ...values.map((value) => (typeof value === 'number' ? value : build(value))))
}

function draw({ strings, values }: Tree): string {
  return strings
    .map((part, index) => {
      const value = values[index]
      if (value === undefined) return part
      return part + (typeof value === 'number' ? `<${value}>` : draw(value))
    })
    .join('')
}

test('a statement knows the merchant that it is about', () => {
  const own = [
    sql`select * from payments where mode = ${'test'} and merchant_id = ${7} limit ${1}`,
    sql`insert into projects (merchant_id, id) values (${7}, ${'a'})`,
    sql`insert into deliveries as written (merchant_id, id) select ${7}, id from given`,
    sql`select name from merchants where id = ${7}`,
    sql`update merchants set name = ${'a'} where id = ${7}`,
    sql`select pg_advisory_xact_lock(${1}::integer, ${7}::integer)`,
    sql`select ${sql`${1} as one`} from payments where ${join([sql`mode = ${2}`, sql`merchant_id = ${7}`], ' and ')}`,
    planEachTime(join([sql`select ${1}`, sql`select from refunds where merchant_id = ${7}`], ' union ')),
  ]
  for (const statement of own) assert.equal(merchantOf([sql`begin`, statement]), 7, statement.text)
  const nobodys = [
    sql`select merchant_id from refunds where id = ${7}`,
    sql`select from people where id = ${7}`,
    sql`select payments.number from payments join attempts on attempts.merchant_id = payments.merchant_id`,
  ]
  assert.equal(merchantOf(nobodys), undefined)
})
