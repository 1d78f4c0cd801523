import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'
import { inspect } from 'node:util'
import { isKept } from './keep.ts'

// What a file leaves behind in a process that goes on to other files: each would keep the process alive, or change the
// tests that come later.

type Handle = { readonly constructor: { readonly name: string } }
/** Node's own list of what keeps a process alive; not in its types. */
const activeHandles = (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles.bind(
  process,
)

type State = {
  readonly handles: ReadonlySet<Handle>
  readonly timers: number
  readonly listeners: ReadonlyMap<string | symbol, number>
  readonly environment: Readonly<NodeJS.ProcessEnv>
  readonly folder: string
  readonly globals: ReadonlyMap<PropertyKey, unknown>
}

/** Libraries register these once, when they are first imported. */
const listenersOfLibraries = new Set<string | symbol>(['exit', 'beforeExit', 'warning', 'newListener'])

export function readState(): State {
  return {
    handles: new Set(activeHandles()),
    timers: countTimers(),
    listeners: new Map(process.eventNames().map((name) => [name, process.listenerCount(name)])),
    environment: { ...process.env },
    folder: process.cwd(),
    globals: readGlobals(),
  }
}

/** One sentence for each thing that wasn't there before. */
export function leftSince(before: State): string[] {
  const open = activeHandles().filter((handle) => !before.handles.has(handle))
  const kept = open.filter((handle) => handle instanceof ChildProcess && isKept(handle.spawnfile))
  const pipes = new Set<unknown>(kept.flatMap((child) => (child as ChildProcess).stdio))
  const handles = open.filter((handle) => !kept.includes(handle) && !pipes.has(handle))
  const timers = countTimers() - before.timers
  return [
    ...handles.map((handle) => `a handle is still open: ${describe(handle)}`),
    ...(timers > 0 ? [`${timers} timer(s) still running`] : []),
    ...process
      .eventNames()
      .filter((name) => !listenersOfLibraries.has(name))
      .filter((name) => process.listenerCount(name) > (before.listeners.get(name) ?? 0))
      .map((name) => `process.on('${String(name)}') still has a listener`),
    ...changedNames(before.environment, process.env).map((name) => `process.env.${name} was changed`),
    ...(process.cwd() === before.folder ? [] : [`the working folder is now ${process.cwd()}`]),
    ...[...readGlobals()]
      .filter(([name, value]) => before.globals.has(name) && !Object.is(before.globals.get(name), value))
      .map(([name]) => `the global ${String(name)} was replaced`),
  ]
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'Immediate').length
}

/** Plain values only: Node fills in its getters when they are first used. */
function readGlobals(): Map<PropertyKey, unknown> {
  const all = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  return new Map(all.filter(([, property]) => 'value' in property).map(([name, { value }]) => [name, value]))
}

function changedNames(before: NodeJS.ProcessEnv, now: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => before[name] !== now[name])
}

function describe(handle: Handle): string {
  if (handle instanceof ChildProcess) return `process ${handle.pid}, ${handle.spawnargs.join(' ')}`
  if (handle instanceof Server) return `server on ${inspect(handle.address())}`
  if (handle instanceof Socket)
    return `socket ${handle.localAddress ?? ''}:${handle.localPort ?? ''} to ${handle.remoteAddress ?? ''}:${handle.remotePort ?? ''}`
  return handle.constructor.name
}
