import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStatusLine } from '../bin/status-line.js'
import { makeRandom } from '../faults/random.ts'
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts'
import { accepted } from './accepted/accepted.ts'
import { openCompiler } from './compile.ts'
import { changeOf, lineNumber, mutantsOf, type Mutant } from './operators.ts'
import { sqlMutantsOf } from './sql-operators.ts'
import {
  filesAtOnce,
  judgesOf,
  likenessTo,
  readTouched,
  runTestFile,
  testFiles,
  type TestRun,
} from './touched.ts'

// npm run mutants -- [--only payments] [--guards] [--sample 40] [--minutes 30] [--seed 1] [--list]
// Plants one small bug at a time and runs the tests that touch it, for some minutes: those beside it first, then the
// quickest, then those that say most of the words around it. Ended early, it goes on where it was; a bug that survived is judged again
// once one of its tests is changed.

const folder = 'artefacts/mutants'
const rooms = ['payments', 'merchants', 'notifications', 'money', 'checkout', 'http']
/** With what a test takes several times over: a bug that turns in a circle is found by its clock. */
const patienceMs = 20_000
const root = fileURLToPath(new URL('../', import.meta.url))

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    /** Of statements alone: conditions, locks and orders. */
    guards: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

/** Untested: no test runs the place at all. Uncompiled: nobody could run it, so it is no bug. */
type Verdict = 'caught' | 'uncompiled' | 'survived' | 'untested' | 'accepted'
type Judged = {
  readonly id: string
  readonly path: string
  readonly verdict: Verdict
  /** The tests that let it through, as they were. */
  readonly judges: string
}

const results = join(root, folder, 'results.jsonl')
const known = new Map(readResults().map((judged) => [judged.id, judged]))
const compiles = openCompiler(root, join(root, folder))
const untilMs = Date.now() + Number(values.minutes) * 60_000
const mutants = choose()
if (values.list) {
  for (const mutant of mutants) process.stdout.write(`${told(mutant)}\n`)
} else await judgeAll()

async function judgeAll(): Promise<void> {
  const status = openStatusLine({ everySeconds: 30 })
  await globalSetup()
  try {
    const files = testFiles()
    const runs = await readTouched(join(root, folder, 'touched.json'), files, (done) =>
      status.show(`which tests touch what: ${done} of ${files.length} files`),
    )
    const likeness = likenessTo(runs)
    for (const [index, mutant] of mutants.entries()) {
      if (Date.now() > untilMs) break
      status.show(`bug ${index + 1} of ${mutants.length}: ${mutant.path}`)
      const judges = judgesOf(runs, mutant.path, mutant.from, likeness)
      if (isKnown(mutant, judges)) continue
      const verdict = await judge(mutant, judges)
      remember({ id: idOf(mutant), path: mutant.path, verdict, judges: nameOfJudges(judges) })
      if (verdict === 'survived' || verdict === 'untested')
        status.print(`${verdict.padEnd(9)} ${told(mutant)}\n`)
    }
  } finally {
    status.end()
    await globalTeardown()
  }
  printRates()
}

function isKnown(mutant: Mutant, judges: readonly TestRun[]): boolean {
  const judged = known.get(idOf(mutant))
  if (judged?.verdict === 'caught' || judged?.verdict === 'uncompiled') return true
  return judged !== undefined && !isAccepted(mutant) && judged.judges === nameOfJudges(judges)
}

function isAccepted(mutant: Mutant): boolean {
  return accepted.some(({ path, change }) => path === mutant.path && told(mutant).includes(change))
}

function nameOfJudges(judges: readonly TestRun[]): string {
  const names = judges.map(({ file, hash }) => `${file} ${hash}`).toSorted()
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
}

async function judge(mutant: Mutant, judges: readonly TestRun[]): Promise<Verdict> {
  if (isAccepted(mutant)) return 'accepted'
  if (!compiles(mutant)) return 'uncompiled'
  if (judges.length === 0) return 'untested'
  const environment = {
    FLORIN_MUTANT: JSON.stringify(mutant),
    NODE_OPTIONS: `--import=${new URL('plant.js', import.meta.url).href}`,
    // By the text that is compiled, so a planted bug is never taken for the file it stands in.
    NODE_COMPILE_CACHE: join(root, folder, 'compiled'),
  }
  for (let at = 0; at < judges.length; at += filesAtOnce) {
    const run = async ({ file, ms }: TestRun): Promise<boolean> =>
      (await runTestFile(file, environment, patienceMs + 5 * ms)) === 0
    // A busy machine may fail a test once; what notices a bug notices it again.
    const passed = await Promise.all(
      judges.slice(at, at + filesAtOnce).map(async (one) => (await run(one)) || (await run(one))),
    )
    if (passed.includes(false)) return 'caught'
  }
  return 'survived'
}

/** Rooms in turn, so that a run that is ended early says something of each. */
function choose(): Mutant[] {
  const random = makeRandom(Number(values.seed))
  const wanted = values.only ?? rooms
  const perRoom = wanted.map((room) => {
    const all = filesOf(room).flatMap(bugsOf)
    const shuffled = all.map((mutant) => ({ mutant, at: random.whole(0, 1_000_000) }))
    const inOrder = shuffled.toSorted((a, b) => a.at - b.at).map(({ mutant }) => mutant)
    return values.sample === undefined ? inOrder : inOrder.slice(0, Number(values.sample))
  })
  const longest = Math.max(0, ...perRoom.map((room) => room.length))
  return Array.from({ length: longest }, (_, index) => perRoom.flatMap((room) => room[index] ?? [])).flat()
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

function told(mutant: Mutant): string {
  const text = readFileSync(join(root, mutant.path), 'utf8')
  return `${mutant.path}:${lineNumber(text, mutant.from)}  ${changeOf(text, mutant)}`
}

/** By the line's own text, so that a bug is known again when lines move. */
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
  process.stdout.write('\nroom             caught   of    rate\n')
  for (const room of values.only ?? rooms) {
    const here = mutants
      .flatMap((mutant) => known.get(idOf(mutant)) ?? [])
      .filter(({ path }) => path.startsWith(`src/${room}/`))
      .filter(({ verdict }) => verdict !== 'accepted' && verdict !== 'uncompiled')
    const caught = here.filter(({ verdict }) => verdict === 'caught').length
    const rate = here.length === 0 ? '–' : `${Math.round((100 * caught) / here.length)} %`
    process.stdout.write(
      `${room.padEnd(16)} ${String(caught).padStart(6)} ${String(here.length).padStart(4)} ${rate.padStart(7)}\n`,
    )
  }
}
