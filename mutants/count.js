// Loaded into a worker that runs test files: counts which functions of src/ each file runs, by V8's own count, in the worker and in
// the processes that its tests start.
import { Session } from 'node:inspector'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = process.env['FLORIN_MUTANT_COUNTS']
// The processes that tests start see the same option; they write what V8 counted at their end.
if (folder !== undefined && process.send !== undefined && process.argv[1]?.endsWith('/test/runner/worker.ts'))
  countFiles(folder, process.send.bind(process))

/** @param {string} store @param {NonNullable<typeof process.send>} send */
function countFiles(store, send) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let file = ''
  let ofChildren = ''

  process.on('message', (/** @type {{ file?: string }} */ order) => {
    if (order.file === undefined) return
    file = order.file
    // Counts of the file before it are thrown away.
    takeCounts(session)
    ofChildren = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
    process.env['NODE_V8_COVERAGE'] = ofChildren
  })

  process.send = (message, ...rest) => {
    if (message.kind === 'file') {
      const counted = [
        takeCounts(session),
        ...readdirSync(ofChildren).map((name) => readCounts(join(ofChildren, name))),
      ]
      rmSync(ofChildren, { recursive: true, force: true })
      const path = join(
        store,
        `${process.pid}-${message.result.passed}-${Math.trunc(performance.now())}.json`,
      )
      writeFileSync(path, JSON.stringify({ file, scripts: counted.flat() }))
    }
    return /** @type {any} */ (send)(message, ...rest)
  }
}

/** Every function that V8 has named so far, by script: it leaves out those of a module that an earlier file imported. */
/** @type {Map<string, Map<string, { from: number, to: number }>>} */
const functionsOf = new Map()

/** @param {Session} session */
function takeCounts(session) {
  /** @type {import('node:inspector').Profiler.ScriptCoverage[]} */
  let result = []
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (!error) result = taken.result
  })
  return ofSources(result).map(({ url, spans }) => {
    const known = functionsOf.get(url) ?? new Map()
    functionsOf.set(url, known)
    for (const { from, to } of spans) known.set(`${from}-${to}`, { from, to })
    const ran = new Set(spans.filter((span) => span.ran).map(({ from, to }) => `${from}-${to}`))
    return { url, spans: [...known].map(([key, span]) => ({ ...span, ran: ran.has(key) })) }
  })
}

/** @param {string} path */
function readCounts(path) {
  try {
    return ofSources(JSON.parse(readFileSync(path, 'utf8')).result)
  } catch {
    // A process that was killed while it wrote.
    return []
  }
}

/** @param {import('node:inspector').Profiler.ScriptCoverage[]} result */
function ofSources(result) {
  return result
    .filter(({ url }) => /^file:.*\/src\/.*\.ts$/.test(url))
    .map(({ url, functions }) => ({
      url,
      spans: functions.flatMap(({ ranges: [whole] }) =>
        whole === undefined ? [] : [{ from: whole.startOffset, to: whole.endOffset, ran: whole.count > 0 }],
      ),
    }))
}
