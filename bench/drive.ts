import { readFileSync } from 'node:fs'
import { runLoad, type LoadPlan } from './load.ts'

// The generator's own process: a plan comes in as a file, the result goes out as one JSON line.
const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadPlan
process.stdout.write(`${JSON.stringify(await runLoad(plan))}\n`)
