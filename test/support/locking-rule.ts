import type { Rule } from './source-files.ts'

// Migrations run while payments are made. What would rewrite a table of a merchant, or read all of it under a lock that
// others wait for, is refused: it is done in steps, or says in a comment before it why it may ("-- Locks payments: …").
// Tables that the same migration makes are empty, and small tables of the installation are quick.

/** Those before ran on no large installation. */
const firstNumber = 28

const small = new Set([
  'connector_accounts',
  'installation_accounts',
  'installation_secrets',
  'installation_times',
  'invitations',
  'keys',
  'memberships',
  'merchant_brands',
  'merchant_currencies',
  'merchants',
  'people',
  'receivers',
  'webhook_secrets',
])

export const migrationsLockNoLargeTable: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const number = Number(/^src\/platform\/database\/migrations\/(\d+)_.*\.sql$/.exec(path)?.[1] ?? 0)
    if (number < firstNumber) return []
    return mistakesIn(text).map((mistake) => `${path}: ${mistake}`)
  })

type Statement = { readonly text: string; readonly comment: string }

function mistakesIn(file: string): string[] {
  const statements = statementsIn(file)
  const isInSteps = file.startsWith('-- in steps\n')
  const made = new Set(
    statements.flatMap(
      ({ text }) => /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(text)?.[1] ?? [],
    ),
  )
  const isLarge = (table: string): boolean => !made.has(table) && !small.has(table)
  const ofForm = statements.flatMap((statement) => {
    const { table, mistake } = locking(statement.text, statements) ?? { table: '', mistake: '' }
    const isExplained = new RegExp(`^locks ${table.replace('.', '\\.')}: .{20}`).test(statement.comment)
    return mistake === '' || !isLarge(table) || isExplained ? [] : [`${mistake}: ${start(statement.text)}`]
  })
  return [...ofForm, ...(isInSteps ? stepMistakes(statements) : outsideSteps(statements))]
}

function statementsIn(file: string): Statement[] {
  return withoutBodies(file)
    .replaceAll(/--.*$/gm, (comment) => comment.replaceAll(';', ','))
    .split(';')
    .map((part) => {
      const lines = part.split('\n').map((line) => line.trim())
      const comment = lines.filter((line) => line.startsWith('--')).map((line) => line.slice(2).trim())
      const code = lines.map((line) => line.replace(/--.*$/, '').trim()).join(' ')
      return {
        text: code.replaceAll(/\s+/g, ' ').trim().toLowerCase(),
        comment: comment.join(' ').toLowerCase(),
      }
    })
    .filter(({ text }) => text !== '')
}

/** Of functions: what they do when they are called is not what the migration does. */
function withoutBodies(file: string): string {
  return file.replaceAll(/\$\$[^]*?\$\$/g, "''")
}

type Locking = { readonly table: string; readonly mistake: string }

function locking(text: string, all: readonly Statement[]): Locking | undefined {
  const [, table = '', actions = ''] = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(text) ?? []
  if (table !== '') {
    const mistake = alterations.find(([form]) => form.test(actions))?.[1] ?? validated(table, actions, all)
    return mistake === undefined ? undefined : { table, mistake }
  }
  for (const [form, mistake] of others) {
    const found = form.exec(text)?.[1]
    if (found !== undefined) return { table: found, mistake }
  }
  return undefined
}

const alterations: readonly (readonly [RegExp, string])[] = [
  [/\balter (column )?\w+ (set data )?type\b/, 'rewrites the table to change the type of a column'],
  [
    /\b(add|alter) .*\bgenerated\b.*\b(stored|identity)\b/,
    'rewrites the table for a column that it computes',
  ],
  [/\badd (column )?(if not exists )?\w+ (big|small)?serial\b/, 'rewrites the table to number its rows'],
  [/\bdefault (?!now\(\)|current_timestamp)[^,]*?\w\(/, 'rewrites the table for a default that is computed'],
  [/\bset not null\b/, 'reads the table under a lock to see that no value is missing'],
  [/\badd column .*\bnot null\b(?!.*\bdefault\b)/, 'fails where there are rows: the column has no default'],
  [/\badd (constraint \w+ )?(unique|primary key|exclude)\b(?! using index)/, 'builds an index under a lock'],
  [
    /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    'checks every row under a lock; add "not valid"',
  ],
  [/\b(set tablespace|set logged|set unlogged|set access method|cluster on)\b/, 'rewrites the table'],
]

/** The lock of the command before it is held until the commit. */
function validated(table: string, actions: string, all: readonly Statement[]): string | undefined {
  const [, name] = /\bvalidate constraint (\w+)/.exec(actions) ?? []
  const isAdded = all.some(({ text }) => text.startsWith(`alter table ${table} add constraint ${name} `))
  return name !== undefined && isAdded
    ? 'checks every row in the transaction that added the constraint; validate it in a later migration'
    : undefined
}

const others: readonly (readonly [RegExp, string])[] = [
  [
    /^create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (?:only )?([\w.]+)/,
    'builds an index while nobody may write; make it "concurrently", in steps',
  ],
  [/^update (?:only )?([\w.]+)\b/, 'changes rows in one go; let a job do it in small ones'],
  [/^delete from (?:only )?([\w.]+)\b/, 'deletes rows in one go; let a job do it in small ones'],
  [
    /^(?:with .*\) )(?:update|delete from) ([\w.]+)\b/,
    'changes rows in one go; let a job do it in small ones',
  ],
  [
    /^insert into [\w.]+ .*\bselect\b.*\bfrom ([\w.]+)/,
    'copies a table in one go; let a job do it in small parts',
  ],
  [/^(?:vacuum full|cluster|reindex table|reindex index)(?! concurrently) ([\w.]+)/, 'rewrites under a lock'],
  [/^lock table ([\w.]+)/, 'locks a table'],
]

/** A step that was interrupted is run again. */
function stepMistakes(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ text }, index) => {
    const [, index_] = /^create (?:unique )?index concurrently (\w+) on /.exec(text) ?? []
    if (index_ !== undefined)
      return statements[index - 1]?.text === `drop index concurrently if exists ${index_}`
        ? []
        : [`is not repeatable: drop index concurrently if exists ${index_}, right before it is made`]
    const isRepeatable =
      /^drop index concurrently if exists \w+$|^alter table [\w.]+ validate constraint \w+$/.test(text)
    return isRepeatable ? [] : [`is no step that can be repeated: ${start(text)}`]
  })
}

function outsideSteps(statements: readonly Statement[]): string[] {
  return statements
    .filter(({ text }) => /\bindex concurrently\b/.test(text))
    .map(({ text }) => `runs in a transaction; begin the file with "-- in steps": ${start(text)}`)
}

function start(text: string): string {
  return text.length > 70 ? `${text.slice(0, 70)}…` : text
}
