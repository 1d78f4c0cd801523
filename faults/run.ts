import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openStatusLine } from '../bin/status-line.js'
import { fullDisk } from './disk-fault.ts'
import { faults, leftOut } from './list.ts'
import { play, type Fault, type Report } from './play.ts'
import { describeBroken, markdownHead, markdownRow, printReports, progressLine } from './report.ts'

// npm run faults -- --seed N [--only name] [--from name] [--runs K] [--short] [--list] [--markdown FILE] [--disk FOLDER]

const options = {
  seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
  only: { type: 'string', multiple: true },
  from: { type: 'string' },
  runs: { type: 'string' },
  disk: { type: 'string' },
  markdown: { type: 'string' },
  short: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
} as const
const values = readOptions()

const seed = wholeNumber('seed', values.seed)
const all = values.disk === undefined ? faults : [...faults, fullDisk(values.disk)]
const chosen = choose(values.only ?? [], values.from)
if (values.list || chosen.length === 0) {
  for (const { name, runs } of all) process.stdout.write(`${name} (${runs.long})\n`)
  if (values.list) process.exit(0)
  refuse('There is no such fault: these are all')
}

const reports: Report[] = []
const nameWidth = Math.max(...chosen.map(({ name }) => name.length))
/** By the names of the faults that are being played: one strikes while the one before it settles. */
const steps = new Map<string, string>()
const status = openStatusLine({ everySeconds: 30 })
status.print(`Seed ${seed}, ${chosen.length} faults\n`)
let settling: Promise<void> = Promise.resolve()
for (const fault of chosen) {
  const { promise: struck, resolve: onStruck } = Promise.withResolvers<void>()
  const before = settling
  const playing = playOne(fault, onStruck)
  settling = before.then(async () => tell(await playing))
  // While one fault's last attempts are being settled, which takes half a minute of waiting, the next one strikes.
  await Promise.race([struck, playing])
  await before
}
await settling
status.end()
printReports(reports)
if (chosen.length === faults.length && values.disk === undefined) process.stdout.write(`\n${leftOut}\n`)
process.exitCode = reports.every(({ ok }) => ok) ? 0 : 1

function readOptions() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    const allowed = Object.keys(options).map((name) => `--${name}`)
    return refuse(`${(error as Error).message.replace(/\.\s.*/s, '')}. Allowed: ${allowed.join(' ')}`)
  }
}

function wholeNumber(name: string, value: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : refuse(`--${name} must be a whole number`)
}

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(64)
}

/** All, those named, or those that a run that was stopped has left. */
function choose(only: readonly string[], from: string | undefined): Fault[] {
  const first = from === undefined ? 0 : all.findIndex(({ name }) => name.includes(from))
  const rest = first === -1 ? [] : all.slice(first)
  return rest.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
}

async function playOne(fault: Fault, onStruck: () => void): Promise<Report> {
  const runs =
    values.runs === undefined ? fault.runs[values.short ? 'short' : 'long'] : wholeNumber('runs', values.runs)
  const onStep = (step: string): void => {
    steps.set(fault.name, step)
    status.show(describeSteps)
  }
  const [report] = await play([fault], { seed, runsOf: () => runs, hurry: values.short, onStruck, onStep })
  steps.delete(fault.name)
  if (!report) throw new Error(`${fault.name} was not played`)
  return report
}

function describeSteps(): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const playing = [...steps].map(([name, step]) => `${name}: ${step}`)
  // The one that strikes first: the end of the line may be cut off.
  return `seed ${seed}  ${reports.length} of ${chosen.length} checked, ${failed} failed  ${playing.toReversed().join('; ')}`
}

/** At once, so that nothing is lost when a long run is stopped. */
function tell(report: Report): void {
  status.print(progressLine(report, nameWidth))
  if (!report.ok) status.print(describeBroken(report))
  if (values.markdown !== undefined) {
    if (reports.length === 0 && values.from === undefined) appendFileSync(values.markdown, markdownHead())
    appendFileSync(values.markdown, markdownRow(report))
  }
  reports.push(report)
}
