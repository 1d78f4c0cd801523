import { parseArgs } from 'node:util'
import { fullDisk } from './disk-fault.ts'
import { faults, leftOut } from './list.ts'
import { play, type Report } from './play.ts'
import { describeBroken, printReports } from './report.ts'

// npm run faults -- --seed N [--only name] [--runs K] [--short] [--list] [--disk FOLDER]

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string', multiple: true },
    runs: { type: 'string' },
    disk: { type: 'string' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

const only = values.only ?? []
const all = values.disk === undefined ? faults : [...faults, fullDisk(values.disk)]
const chosen = all.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
if (values.list || chosen.length === 0) {
  for (const { name, runs } of all) process.stdout.write(`${name} (${runs.long})\n`)
  process.exit(values.list ? 0 : 64)
}

const seed = Number(values.seed)
const reports: Report[] = []
process.stdout.write(`Seed ${seed}\n`)
for (const fault of chosen) {
  const runs = values.runs === undefined ? fault.runs[values.short ? 'short' : 'long'] : Number(values.runs)
  const began = Date.now()
  const [report] = await play([fault], { seed, runsOf: () => runs, hurry: values.short })
  if (!report) continue
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  process.stdout.write(`  ${fault.name}: ${report.ok ? 'ok' : 'FAILED'}, ${runs} runs in ${seconds} s\n`)
  if (!report.ok) process.stdout.write(describeBroken(report))
  reports.push(report)
}
printReports(reports)
if (only.length === 0 && values.disk === undefined) process.stdout.write(`\n${leftOut}\n`)
process.exitCode = reports.every(({ ok }) => ok) ? 0 : 1
