import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { disputeMoves } from '../src/modules/disputes/state-machine.ts'
import { attemptEvents, paymentEvents } from '../src/core/payments/state-machine.ts'
import { payoutMoves } from '../src/modules/payouts/state-machine.ts'
import { refundEvents } from '../src/modules/refunds/state-machine.ts'
import { tree } from './support/prove-rules.ts'

// A drawing that is not the code any more is worse than none.

const root = fileURLToPath(new URL('../', import.meta.url))
const page = readFileSync(join(root, 'docs/states.md'), 'utf8')

const machines = {
  payment: paymentEvents,
  attempt: attemptEvents,
  dispute: disputeMoves,
  refund: refundEvents,
  payout: payoutMoves,
}
for (const [thing, events] of Object.entries(machines)) {
  test(`the ${thing}’s state diagram has exactly the state machine’s edges`, () => {
    assert.deepEqual(edgesDrawn(thing).toSorted(), edgesOf(events).toSorted())
  })
}

test('every file a document names exists', () => {
  const missing = tree
    .filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|test|bin|bench|faults|docs)\/[\w./-]*\w)`/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !existsSync(join(root, name)))
        .map((name) => `${path} names ${name}`),
    )
  assert.deepEqual(missing, [])
})

test('every table has its line in the map, and every line its table', () => {
  const created = tree
    .filter(({ path }) => path === 'src/platform/database/schema.sql')
    .flatMap(({ text }) => [...text.matchAll(/^create table ([\w.]+)/gm)].map((match) => match[1] ?? ''))
  const map = readFileSync(join(root, 'docs/tables.md'), 'utf8')
  const mapped = map
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map((match) => match[1] ?? ''))
  assert.deepEqual(mapped.toSorted(), created.toSorted())
})

test('every slot has a type that its file exports, and the page counts them right', () => {
  const slots = readFileSync(join(root, 'docs/slots.md'), 'utf8')
  const textOf = (path: string) => tree.find((file) => file.path === path)?.text ?? ''
  const types = [...slots.matchAll(/^\| [^|]+ \| `(\w+)` in `([\w./-]+)` \|/gm)]
  const missing = types.filter(
    ([, name = '', path = '']) => !new RegExp(`^export type ${name}\\b`, 'm').test(textOf(path)),
  )
  assert.deepEqual(
    missing.map(([row]) => row),
    [],
  )
  assert.match(slots, new RegExp(`There are ${types.length} slots`))
})

type Events = Record<string, { readonly from: readonly string[]; readonly to: string }>

function edgesOf(events: Events): string[] {
  return Object.entries(events).flatMap(([event, { from, to }]) =>
    from.map((state) => `${state} --> ${to}: ${event}`),
  )
}

/** An edge may be drawn once for several events; what stands in brackets or after "marked" is for the reader. */
function edgesDrawn(thing: string): string[] {
  const [, drawing = ''] = new RegExp(`state "an? ${thing}" as ${thing} \\{([^]*?)\\n  \\}`).exec(page) ?? []
  return [...drawing.matchAll(/^ +(\w+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, words = '']) =>
    words
      .replaceAll(/ \([^)]*\)/g, '')
      .split(', ')
      .filter((word) => word !== 'marked late')
      .map((event) => `${from} --> ${to}: ${event}`),
  )
}
