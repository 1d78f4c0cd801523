import { existsSync } from 'node:fs'
import { flushCompileCache, registerHooks } from 'node:module'
import { bringHome, setMood } from './network-moods.ts'
import { points, type Order, type Played, type Point, type PointName } from './points.ts'

// Loaded with `node --import`, by the fault programs only, before the server's first module. It rewrites the modules
// that hold a named point while they are loaded, and gives the process a clock that can be moved.

type Reach = (place: string, moment: 'before' | 'after', result: unknown, given: unknown) => void

const armed = new Map<PointName, { left: number; signal: NodeJS.Signals }>()
let aheadMs = 0

const reach: Reach = (place, moment, result, given) => {
  for (const [name, order] of armed) {
    const wanted: Point = points[name]
    const isHere = placeOf(wanted) === place && (wanted.before === true) === (moment === 'before')
    const having = [wanted.having ?? []].flat()
    if (!isHere || !having.every((part) => includes(result, part)) || !includes(given, wanted.given)) continue
    order.left -= 1
    if (order.left > 0) continue
    armed.delete(name)
    process.kill(process.pid, order.signal)
  }
}

/** Several points may be reached at one function. */
function placeOf({ file, after, made }: Point): string {
  return `${file} ${made ?? after}`
}

type Work = (...args: unknown[]) => Promise<unknown>

/** Runs a point's own function, where a fault has nothing else in mind with it. */
async function run(place: string, work: Work, args: unknown[]): Promise<unknown> {
  if (place !== placeOf(points['a result is committed'])) return work(...args)
  const [key, outcome] = args
  return bringHome(work, key, outcome as { kind: string })
}

Object.assign(globalThis, { florinFaultReached: reach, florinFaultRun: run })

// A file that was moved would be loaded as it is, and its fault would pass as survived.
for (const { file } of Object.values(points)) {
  if (!existsSync(new URL(`../src/${file}`, import.meta.url))) throw new Error(`There is no src/${file}`)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const mine = Object.values(points).filter(({ file }) => url.endsWith(`/src/${file}`))
    if (mine.length === 0 || !loaded.source) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString('utf8')
    const places = new Map<string, Point>(mine.map((point) => [placeOf(point), point]))
    for (const [place, point] of places) source = rewrite(source, place, point)
    return { ...loaded, source }
  },
})

/** A point whose function is gone stops the start: a fault that can't happen any more must not pass as survived. */
function rewrite(source: string, place: string, point: Point): string {
  const found = point.made ?? point.after ?? ''
  const opening = point.made === undefined ? `export async function ${found}(` : `export function ${found}(`
  if (!source.includes(opening)) throw new Error(`There is no exported ${place}`)
  const inner = `${found}Itself`
  const watched = (work: string): string => `async (...args: any[]): Promise<any> => {
  ;(globalThis as any).florinFaultReached(${JSON.stringify(place)}, 'before', undefined, args.at(-1))
  const result = await (globalThis as any).florinFaultRun(${JSON.stringify(place)}, ${work}, args)
  ;(globalThis as any).florinFaultReached(${JSON.stringify(place)}, 'after', result, args.at(-1))
  return result
}`
  const outer =
    point.made === undefined
      ? watched(inner)
      : `(...needs: any[]): any => {
  const made = (${inner} as any)(...needs)
  return ${watched('made')}
}`
  return `${source.replace(opening, opening.replace('export ', '').replace(found, inner))}
export const ${found}: any = ${outer}
`
}

function includes(value: unknown, part: string | undefined): boolean {
  if (part === undefined) return true
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
  return text?.includes(part) ?? false
}

const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs)
    else super(...(parts as [number]))
  }
  static override now(): number {
    return RealDate.now() + aheadMs
  }
} as DateConstructor

process.on('message', (order: Order) => {
  if (order.kind === 'clock') aheadMs = order.aheadMs
  else if (order.kind === 'network')
    setMood(order.mood, order.seed, () => void process.send?.('played' satisfies Played))
  else if (order.kind === 'keep compiled code') flushCompileCache()
  else armed.set(order.point, { left: order.hit, signal: order.signal })
})
process.channel?.unref()
