import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStatusLine } from '../bin/status-line.js'
import { makeRandom } from '../faults/random.ts'
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts'
import { openCompiler, type Compiler } from './compile.ts'
import { isCaught } from './judge.ts'
import { judgesOf, likenessTo } from './judges.ts'
import { isMarked } from './marks.ts'
import { changeOf, lineNumber, mutantsOf, type Mutant } from './operators.ts'
import { sqlMutantsOf } from './sql-operators.ts'
import { readMap, testFiles, type TestRun } from './touched.ts'

// npm run mutants -- [--only core/payments] [--guards] [--sample 40] [--minutes 60] [--seed 1] [--fresh] [--list]
// Plants one small bug at a time, runs the tests that touch it, and names the bugs that no test notices.

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'artefacts/mutants')
const results = join(folder, 'results.jsonl')
/** More than there are cores: much of a test is waiting. */
const bugsAtOnce = 3
/** Bugs that the compiler checks in one run. */
const compiledAtOnce = 80

const { values } = parseArgs({
  options: {
    /** A room: a folder of src, or folders and files with commas between. */
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    /** Conditions, locks and orders of statements only. */
    guards: { type: 'boolean', default: false },
    /** Forgets every verdict of earlier runs. */
    fresh: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

/** Untested: no test runs the place at all. Uncompiled: the types forbid it, so nobody could ship it. */
type Verdict = 'caught' | 'uncompiled' | 'survived' | 'untested'
type Judged = {
  readonly id: string
  readonly path: string
  readonly verdict: Verdict
  /** The tests that let it through, as they were. */
  readonly judges: string
}

if (values.fresh) rmSync(results, { force: true })
const known = new Map(readResults().map((judged) => [judged.id, judged]))
const rooms = values.only ?? allRooms()
/** Those that were drawn and matter, by room, and how many were passed over because a mark says that they do no harm. */
const drawn = new Map(rooms.map((room) => [room, { mutants: [] as Mutant[], harmless: 0 }]))
const compiles = openCompiler(root, folder)
if (values.list) {
  for await (const mutant of draw(compiles)) process.stdout.write(`${describe(mutant)}\n`)
} else await judgeAll()

async function judgeAll(): Promise<void> {
  const status = openStatusLine({ everySeconds: 30 })
  await globalSetup()
  try {
    const runs = await readMap(join(folder, 'map.json'), testFiles(), (counted, of) =>
      status.show(`Which tests touch what: ${counted} of ${of} files`),
    )
    const likeness = likenessTo(runs)
    const untilMs = Date.now() + Number(values.minutes) * 60_000
    const mutants = draw(compiles)
    let begun = 0
    const judgeNext = async (): Promise<void> => {
      for (let next = await mutants.next(); !next.done; next = await mutants.next()) {
        if (Date.now() > untilMs) return
        const mutant = next.value
        status.show(`Bug ${(begun += 1)}: ${mutant.path}`)
        const judges = judgesOf(runs, mutant.path, mutant.from, likeness)
        if (!isKnown(mutant, judges)) remember(mutant, await judge(mutant, judges), hashOfJudges(judges))
        const verdict = known.get(idOf(mutant))?.verdict ?? ''
        if (verdict !== 'caught') status.print(`${verdict.padEnd(9)} ${describe(mutant)}\n`)
      }
    }
    await Promise.all(Array.from({ length: bugsAtOnce }, judgeNext))
  } finally {
    status.end()
    await globalTeardown()
  }
  printRates()
}

async function judge(mutant: Mutant, judges: readonly TestRun[]): Promise<Verdict> {
  if (judges.length === 0) return 'untested'
  return (await isCaught(mutant, judges, join(folder, 'compiled'))) ? 'caught' : 'survived'
}

/** A bug that survived is judged again once one of its tests was changed. */
function isKnown(mutant: Mutant, judges: readonly TestRun[]): boolean {
  const judged = known.get(idOf(mutant))
  return judged?.verdict === 'caught' || judged?.judges === hashOfJudges(judges)
}

function hashOfJudges(judges: readonly TestRun[]): string {
  const names = judges.map(({ file, hash }) => `${file} ${hash}`).toSorted()
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
}

/** Rooms in turn, so that a run that ends early says something about each. */
async function* draw(compiler: Compiler): AsyncGenerator<Mutant, undefined> {
  let open = rooms.map((room) => ({ room, bugs: drawFrom(room, compiler) }))
  while (open.length > 0) {
    for (const one of open) {
      const { value, done } = await one.bugs.next()
      if (done) open = open.filter((other) => other !== one)
      else yield value
    }
  }
  return undefined
}

/** In an order that depends on the seed only, without those that the types forbid or a mark calls harmless. */
async function* drawFrom(room: string, compiler: Compiler): AsyncGenerator<Mutant, undefined> {
  const random = makeRandom(Number(values.seed))
  const all = filesOf(room)
    .flatMap(bugsOf)
    .map((mutant) => ({ mutant, at: random.whole(0, 1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant)
  const here = drawn.get(room) ?? { mutants: [], harmless: 0 }
  const sample = Number(values.sample ?? all.length)
  for (let at = 0; at < all.length; at += compiledAtOnce) {
    const some = all.slice(at, at + compiledAtOnce)
    const unknown = some.filter((mutant) => !known.has(idOf(mutant)))
    for (const [index, isSound] of (await compiler(unknown)).entries()) {
      const mutant = unknown[index]
      if (mutant !== undefined && !isSound) remember(mutant, 'uncompiled', '')
    }
    for (const mutant of some) {
      if (here.mutants.length === sample) return undefined
      if (isMarked(readFileSync(join(root, mutant.path), 'utf8'), mutant)) here.harmless += 1
      else if (known.get(idOf(mutant))?.verdict !== 'uncompiled') {
        here.mutants.push(mutant)
        yield mutant
      }
    }
  }
  return undefined
}

function allRooms(): string[] {
  return foldersIn('').flatMap((top) =>
    ['core', 'platform', 'modules', 'networks'].includes(top)
      ? foldersIn(top).map((room) => `${top}/${room}`)
      : [top],
  )
}

function foldersIn(place: string): string[] {
  return readdirSync(join(root, 'src', place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function bugsOf(path: string): Mutant[] {
  const text = readFileSync(join(root, path), 'utf8')
  return values.guards ? sqlMutantsOf(text).map((found) => ({ path, ...found })) : mutantsOf(path, text)
}

function filesOf(room: string): string[] {
  return (
    room
      .split(',')
      .flatMap((part) => (part.endsWith('.ts') ? [part] : sourcesIn(part)))
      // Words, described operations and samples are data: the compiler and a comparison hold them.
      .filter((name) => !/(^|\/)words\/|operations\.ts$|schemas?\.ts$|openapi\.ts$|described\.ts$/.test(name))
      .map((name) => `src/${name}`)
      .toSorted()
  )
}

function sourcesIn(part: string): string[] {
  return readdirSync(join(root, 'src', part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(part, name))
}

function describe(mutant: Mutant): string {
  const text = readFileSync(join(root, mutant.path), 'utf8')
  return `${mutant.path}:${lineNumber(text, mutant.from)}  ${changeOf(text, mutant)}`
}

/** By the text around it, so that a bug is known again when lines move. */
function idOf(mutant: Mutant): string {
  const text = readFileSync(join(root, mutant.path), 'utf8')
  const near = text.slice(Math.max(0, mutant.from - 120), mutant.to + 120)
  return createHash('sha256')
    .update(`${mutant.path} ${near} ${mutant.replacement}`)
    .digest('hex')
    .slice(0, 16)
}

function readResults(): Judged[] {
  if (!existsSync(results)) return []
  const lines = readFileSync(results, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Judged)
}

function remember(mutant: Mutant, verdict: Verdict, judges: string): void {
  const judged = { id: idOf(mutant), path: mutant.path, verdict, judges }
  known.set(judged.id, judged)
  mkdirSync(dirname(results), { recursive: true })
  appendFileSync(results, `${JSON.stringify(judged)}\n`)
}

function printRates(): void {
  process.stdout.write('\nroom             caught   of    rate  harmless\n')
  for (const [room, { mutants, harmless }] of drawn) {
    const verdicts = mutants.flatMap((mutant) => known.get(idOf(mutant))?.verdict ?? [])
    const caught = verdicts.filter((verdict) => verdict === 'caught').length
    const rate = verdicts.length === 0 ? '–' : `${Math.round((100 * caught) / verdicts.length)} %`
    const columns = [String(caught).padStart(6), String(verdicts.length).padStart(4), rate.padStart(7)]
    process.stdout.write(`${room.padEnd(16)} ${columns.join(' ')} ${String(harmless).padStart(9)}\n`)
  }
}
