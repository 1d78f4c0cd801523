import { isStore, program, type Rule, type SourceFile } from './source-files.ts'
import { readSource } from './source-text.ts'

// Every statement on a merchant's table says `merchant_id = ${…}`, with one number: so one merchant's rows never meet
// another's, and in a cluster the statement runs on one node. Only looks, which find merchants to visit, are excepted.

export const statementsNameOneMerchant: Rule = (files) => {
  const tables = merchantTables(files)
  return program(files)
    .filter(({ path }) => isStore(path))
    .flatMap(({ path, text }) => {
      const mistakes = declarations(text).flatMap((templates) =>
        templates.flatMap((template) =>
          path.endsWith('-look-store.ts')
            ? lookMistakes(template)
            : statementMistakes(template, templates, tables),
        ),
      )
      return mistakes.map((mistake) => `${path}: ${mistake}`)
    })
}

/** Tables by the name of the column that holds the merchant's number. */
function merchantTables(files: readonly SourceFile[]): Map<string, string> {
  const migrations = files.filter(({ path }) => /^src\/platform\/database\/migrations\/.*\.sql$/.test(path))
  const created = migrations.flatMap(({ text }) => [
    ...text.matchAll(/create table (?:if not exists )?(?:\w+\.)?(\w+) \(([^;]*)\)[^;]*;/g),
  ])
  const ofMerchants = created.filter(([, , columns = '']) => /\bmerchant_id\b/.test(columns))
  return new Map([...ofMerchants.map(([, name = '']) => [name, 'merchant_id'] as const), ['merchants', 'id']])
}

/** The templates of each function or constant: a statement and the fragments that it is put together from. */
function declarations(source: string): string[][] {
  return source
    .split(/^(?=(?:export|async|function|const|let|class) )/m)
    .map((part) =>
      readSource(part)
        .strings.filter(({ tag }) => tag === 'sql')
        .map(({ text }) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()),
    )
    .filter((templates) => templates.length > 0)
}

function lookMistakes(template: string): string[] {
  const mistakes = []
  if (/\bfor (no key )?(update|share|key share)\b|\b(insert into|update|delete from)\b/.test(template)) {
    mistakes.push('a look across merchants locks or changes rows')
  }
  const [, answer] = /^.*?\bselect (.*?) from\b/.exec(withoutParentheses(template)) ?? []
  // Merchants themselves may be listed, with all that is known of them.
  const isOfMerchants = /\bfrom merchants\b/.test(template) && !/\bjoin\b/.test(template)
  if (
    answer !== undefined &&
    !isOfMerchants &&
    !isNextDue(answer) &&
    !/^(distinct )?(merchant_id|merchants\.id|\w+\.merchant_id)( as "?\w+"?)?$/.test(answer)
  ) {
    mistakes.push(`a look across merchants answers with more than merchants: ${answer}`)
  }
  return mistakes
}

/** When something of anyone is due next: min(next_check_at), or a time that has always come. */
function isNextDue(answer: string): boolean {
  return /^(min|to_timestamp)$/.test(answer)
}

function statementMistakes(
  template: string,
  templates: readonly string[],
  tables: ReadonlyMap<string, string>,
): string[] {
  const mentions = mentionsIn(template, tables)
  if (mentions.length === 0) return []
  const aliases = new Set(mentions.map(({ alias }) => alias))
  const isOddlyCompared = oddComparisons(template).some((comparison) => !isLink(comparison, aliases))
  if (isOddlyCompared || templates.some((one) => /^(any|all|some) ?\(/.test(one))) {
    return [`compares merchants with something else than one number: ${start(template)}`]
  }
  const inserted = mentions.filter((mention) => mention.insertsInto)
  const strangers = inserted.filter(({ columns, key }) => !columns.includes(key))
  const left = untied(
    template,
    templates,
    mentions.filter((mention) => !mention.insertsInto),
  )
  return strangers.length > 0 || left > 0 ? [`does not name its one merchant: ${start(template)}`] : []
}

type Mention = {
  readonly alias: string
  readonly key: string
  readonly insertsInto: boolean
  readonly columns: readonly string[]
}

/** What may follow the name of a table that has no other name. */
const notAliases =
  'as cross for from full group inner join left limit on only order returning right select set union using where'.split(
    ' ',
  )

function mentionsIn(template: string, tables: ReadonlyMap<string, string>): Mention[] {
  const alias = String.raw`(?: as (\w+)| (?!(?:${notAliases.join('|')})\b)(\w+))?`
  const read = new RegExp(
    String.raw`\b(?:from|join|update|using|truncate|table|only|copy) (?:\w+\.)?"?(\w+)"?${alias}`,
    'g',
  )
  const readNext = new RegExp(String.raw`\bfrom [\w."]+(?: (?:as )?\w+)? ?, (?:\w+\.)?"?(\w+)"?${alias}`, 'g')
  const written = /\binto (?:\w+\.)?"?(\w+)"?(?: as \w+)?(?: \(([^)]*)\))?/g
  return [
    ...[...template.matchAll(read), ...template.matchAll(readNext)].map(([, table = '', as, bare]) => ({
      key: tables.get(table) ?? '',
      alias: as ?? bare ?? table,
      insertsInto: false,
      columns: [],
    })),
    ...[...template.matchAll(written)].map(([, table = '', columns = '']) => ({
      key: tables.get(table) ?? '',
      alias: table,
      insertsInto: true,
      columns: columns.split(/, ?/),
    })),
  ].filter(({ key }) => key !== '')
}

/** How many mentions of a table no `merchant_id = ?` is about. */
function untied(template: string, templates: readonly string[], mentions: readonly Mention[]): number {
  const missing = [...Map.groupBy(mentions, ({ alias }) => alias)].map(([alias, ofAlias]) => {
    const key = ofAlias[0]?.key ?? ''
    const own = count(template, new RegExp(`\\b${alias}\\.${key} = \\?`, 'g'))
    const linked = count(
      template,
      new RegExp(`\\b${alias}\\.${key} = \\w+\\.\\w+|\\w+\\.\\w+ = ${alias}\\.${key}\\b`, 'g'),
    )
    return Math.max(0, ofAlias.length - own - linked)
  })
  const key = mentions.some((mention) => mention.key === 'id') ? '(?:merchant_id|id)' : 'merchant_id'
  const unqualified = new RegExp(`(?<![\\w.])${key} = \\?`, 'g')
  const fromFragments = /\b(where|and|on) \?/.test(template)
    ? templates.filter((one) => one !== template && new RegExp(`^(\\w+\\.)?${key} = \\?`).test(one)).length
    : 0
  const ties = count(template, unqualified) + fromFragments
  // A column may follow another one, but one of them has to be given as a number.
  const given = ties + count(template, new RegExp(`\\w+\\.${key} = \\?`, 'g'))
  return given === 0 ? mentions.length : missing.reduce((sum, one) => sum + one, 0) - ties
}

/** Whatever a merchant's number is held against, other than `= ?` alone. */
function oddComparisons(template: string): string[] {
  const odd = [
    /(?:\w+\.)?\bmerchant_id (?:<>|!=|<=|>=|<|>|in\b|not\b|between\b|is\b|= (?!\?)\S+)[^ ]*/g,
    /[\w.]+ = \w+\.merchant_id\b/g,
    /\([^()]*\bmerchant_id\b[^()]*\) (?:=|<|>|in\b)/g,
    /\busing \([^()]*\bmerchant_id\b/g,
    /\bor (?:not )?(?:\w+\.)?merchant_id\b/g,
    /\bmerchant_id = \?(?:::\w+)? or\b/g,
    /\bmerchant_id = \?(?:::\w+)?\[\]/g,
  ]
  return odd.flatMap((pattern) => [...template.matchAll(pattern)].map(([found]) => found))
}

/** `attempts.merchant_id = payments.merchant_id`, both tables of this statement. */
function isLink(comparison: string, aliases: ReadonlySet<string>): boolean {
  const [, left = '', right = ''] = /^(\w+)\.\w+ = (\w+)\.\w+\)*,?$/.exec(comparison) ?? []
  return aliases.has(left) && aliases.has(right)
}

function withoutParentheses(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, '')
  return outer === text ? text : withoutParentheses(outer)
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function start(template: string): string {
  return template.length > 60 ? `${template.slice(0, 60)}…` : template
}
