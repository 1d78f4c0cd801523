import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStatusLine } from '../bin/status-line.js'
import { makeRandom } from '../faults/random.ts'
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts'
import { openCompiler } from './compile.ts'
import { isCaught } from './judge.ts'
import { judgesOf, likenessTo } from './judges.ts'
import { isMarked } from './marks.ts'
import { changeOf, lineNumber, mutantsOf, type Mutant } from './operators.ts'
import { sqlMutantsOf } from './sql-operators.ts'
import { readMap, testFiles, type TestRun } from './touched.ts'

// npm run mutants -- [--only payments] [--guards] [--sample 40] [--minutes 60] [--seed 1] [--fresh] [--list]
// Plants one small bug at a time, runs the tests that touch it, and names the bugs that no test notices.

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'artefacts/mutants')
const results = join(folder, 'results.jsonl')
/** More than there are cores: much of a test is waiting. */
const bugsAtOnce = 3

const { values } = parseArgs({
  options: {
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

/** Untested: no test runs the place at all. Uncompiled: the types forbid it, so nobody could ship it. Harmless: marked in the source. */
type Verdict = 'caught' | 'uncompiled' | 'survived' | 'untested' | 'harmless'
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
const mutants = choose()
if (values.list) {
  for (const mutant of mutants) process.stdout.write(`${describe(mutant)}\n`)
} else await judgeAll()

async function judgeAll(): Promise<void> {
  const status = openStatusLine({ everySeconds: 30 })
  const compiles = openCompiler(root, folder)
  await globalSetup()
  try {
    const runs = await readMap(join(folder, 'map.json'), testFiles(), (counted, of) =>
      status.show(`Which tests touch what: ${counted} of ${of} files`),
    )
    const likeness = likenessTo(runs)
    const untilMs = Date.now() + Number(values.minutes) * 60_000
    const waiting = [...mutants]
    const judgeNext = async (): Promise<void> => {
      for (let mutant = waiting.shift(); mutant && Date.now() < untilMs; mutant = waiting.shift()) {
        status.show(`Bug ${mutants.length - waiting.length} of ${mutants.length}: ${mutant.path}`)
        const judges = judgesOf(runs, mutant.path, mutant.from, likeness)
        if (isKnown(mutant, judges)) continue
        const verdict = await judge(mutant, judges, compiles)
        remember({ id: idOf(mutant), path: mutant.path, verdict, judges: hashOfJudges(judges) })
        if (verdict === 'survived' || verdict === 'untested')
          status.print(`${verdict.padEnd(9)} ${describe(mutant)}\n`)
      }
    }
    await Promise.all(Array.from({ length: bugsAtOnce }, judgeNext))
  } finally {
    status.end()
    await globalTeardown()
  }
  printRates()
}

async function judge(
  mutant: Mutant,
  judges: readonly TestRun[],
  compiles: (mutant: Mutant) => Promise<boolean>,
): Promise<Verdict> {
  if (isMarked(readFileSync(join(root, mutant.path), 'utf8'), mutant)) return 'harmless'
  if (!(await compiles(mutant))) return 'uncompiled'
  if (judges.length === 0) return 'untested'
  return (await isCaught(mutant, judges, join(folder, 'compiled'))) ? 'caught' : 'survived'
}

/** A bug that survived is judged again once one of its tests was changed. */
function isKnown(mutant: Mutant, judges: readonly TestRun[]): boolean {
  const judged = known.get(idOf(mutant))
  if (judged?.verdict === 'caught' || judged?.verdict === 'uncompiled') return true
  const isMarkedNow = isMarked(readFileSync(join(root, mutant.path), 'utf8'), mutant)
  return judged !== undefined && !isMarkedNow && judged.judges === hashOfJudges(judges)
}

function hashOfJudges(judges: readonly TestRun[]): string {
  const names = judges.map(({ file, hash }) => `${file} ${hash}`).toSorted()
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
}

/** Rooms in turn, so that a run that ends early says something about each. */
function choose(): Mutant[] {
  const random = makeRandom(Number(values.seed))
  const perRoom = rooms.map((room) => {
    const all = filesOf(room).flatMap(bugsOf)
    const shuffled = all.map((mutant) => ({ mutant, at: random.whole(0, 1_000_000) }))
    const inOrder = shuffled.toSorted((a, b) => a.at - b.at).map(({ mutant }) => mutant)
    return values.sample === undefined ? inOrder : inOrder.slice(0, Number(values.sample))
  })
  const longest = Math.max(0, ...perRoom.map((room) => room.length))
  return Array.from({ length: longest }, (_, index) => perRoom.flatMap((room) => room[index] ?? [])).flat()
}

function allRooms(): string[] {
  return readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function bugsOf(path: string): Mutant[] {
  const text = readFileSync(join(root, path), 'utf8')
  return values.guards ? sqlMutantsOf(text).map((found) => ({ path, ...found })) : mutantsOf(path, text)
}

function filesOf(room: string): string[] {
  return (
    readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      // Words, described operations and samples are data: the compiler and a comparison hold them.
      .filter((name) => !/(^|\/)words\/|operations\.ts$|schemas?\.ts$|openapi\.ts$|described\.ts$/.test(name))
      .map((name) => `src/${room}/${name}`)
      .toSorted()
  )
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

function remember(judged: Judged): void {
  known.set(judged.id, judged)
  mkdirSync(dirname(results), { recursive: true })
  appendFileSync(results, `${JSON.stringify(judged)}\n`)
}

function printRates(): void {
  process.stdout.write('\nroom             caught   of    rate  harmless\n')
  for (const room of rooms) {
    const here = mutants
      .flatMap((mutant) => known.get(idOf(mutant)) ?? [])
      .filter(({ path }) => path.startsWith(`src/${room}/`))
    const count = (...verdicts: Verdict[]): number =>
      here.filter(({ verdict }) => verdicts.includes(verdict)).length
    const matter = count('caught', 'survived', 'untested')
    const rate = matter === 0 ? '–' : `${Math.round((100 * count('caught')) / matter)} %`
    const columns = [count('caught'), matter, rate, count('harmless')].map(String)
    const [caught = '', of = '', share = '', harmless = ''] = columns
    process.stdout.write(
      `${room.padEnd(16)} ${caught.padStart(6)} ${of.padStart(4)} ${share.padStart(7)} ${harmless.padStart(9)}\n`,
    )
  }
}
