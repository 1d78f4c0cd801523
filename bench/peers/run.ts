import { parseArgs } from 'node:util'
import { openStatusLine, type StatusLine } from '../../bin/status-line.js'
import { onStopSignal } from '../../bin/stop-signals.js'
import { asConnections } from '../create.ts'
import { interleave, summarise } from '../measure.ts'
import { openFlorin } from './florin.ts'
import { folderOf } from './install.ts'
import { openLoad, secondsUsually, type Loaded } from './load.ts'
import { openMedusa } from './medusa.ts'
import { crowds, rounds } from './plan.ts'
import type { OpenPeer, Peer } from './server.ts'
import { compareOnce, compareRounds, header, type Row } from './table.ts'
import { openVendure } from './vendure.ts'

// node bin/run.js bench/peers/run.ts [--folder FOLDER] [--seconds N] [medusa|vendure …]: Florin beside its peers, all
// measured in turn, so that what slows the machine down slows all of them.

const peers: Readonly<Record<string, OpenPeer>> = { medusa: openMedusa, vendure: openVendure }
const options = { folder: { type: 'string' }, seconds: { type: 'string' } } as const

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const names = positionals.length === 0 ? Object.keys(peers) : positionals
  const odd = names.find((name) => !(name in peers))
  if (odd !== undefined)
    throw new Error(`There is no peer "${odd}". Allowed: ${Object.keys(peers).join(' ')}`)
  const seconds = Number(values.seconds ?? secondsUsually)
  const letGo = onStopSignal(() => process.exit(1))
  const status = openStatusLine()
  await using opened = new AsyncDisposableStack()
  const all: Peer[] = []
  for (const [name, open] of Object.entries({ florin: openFlorin, ...peers })) {
    if (name !== 'florin' && !names.includes(name)) continue
    const say = (doing: string): void => status.show(`${name}  ${doing}`)
    all.push(opened.use(await open(folderOf(name, values.folder), say)))
  }
  const measured = await measure(all, seconds, status)
  status.end()
  print(all, measured)
  letGo()
}

type Measured = ReadonlyMap<string, readonly Loaded[]>

async function measure(all: readonly Peer[], seconds: number, status: StatusLine): Promise<Measured> {
  const results = new Map<string, readonly Loaded[]>()
  const loads = all.map(({ name, create, lookUp, pids }) => ({
    name,
    create: openLoad(create, pids, seconds),
    'look-up': openLoad(lookUp, pids, seconds),
  }))
  for (const work of ['create', 'look-up'] as const) {
    for (const connections of crowds) {
      const row = `${work}, ${asConnections(connections)}`
      const pace = { rounds, seconds, say: (doing: string) => status.show(`${row}: ${doing}`) }
      const turns = loads.map((each) => [each.name, async () => each[work](connections)] as const)
      const found = await interleave<string, Loaded>(pace, Object.fromEntries(turns))
      for (const [name, loaded] of Object.entries(found)) {
        results.set(`${name} ${row}`, loaded)
        const { median, low, high } = summarise(loaded.map(({ perSecond }) => perSecond))
        status.print(`${name}, ${row}: ${median.toFixed(1)}/s (${low.toFixed(1)}–${high.toFixed(1)})\n`)
      }
    }
  }
  return results
}

function print([florin, ...others]: readonly Peer[], measured: Measured): void {
  if (!florin) return
  for (const peer of others) {
    const rows = ['create', 'look-up'].flatMap((work) =>
      crowds.flatMap((connections): Row[] => {
        const row = `${work}, ${asConnections(connections)}`
        const [here, there] = [florin, peer].map(({ name }) => measured.get(`${name} ${row}`) ?? [])
        return compareRounds(row, here ?? [], there ?? [])
      }),
    )
    const lines = [
      ...rows,
      compareOnce('start to ready, s', florin.readySeconds, peer.readySeconds, 2),
      compareOnce('packages installed', [florin.packages], [peer.packages], 0),
    ]
    const text = [...header(peer.name), ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
    process.stdout.write(`\n${text}\n`)
  }
}

await main()
