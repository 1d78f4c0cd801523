import { writeFileSync } from 'node:fs'
import { readPackageSizes } from '../../bin/install-progress.js'
import { lockedPackages } from './locked-packages.ts'

// `npm run sizes`: asks the registry how large the packages of the lockfile are, packed and unpacked, and writes it into
// bin/package-sizes.json. A first start shows by it how much there is to fetch.

const registry = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'
const file = new URL('../../bin/package-sizes.json', import.meta.url)
const atOnce = 8

const sizes = readPackageSizes()
const wanted = [...new Set(lockedPackages().map(({ id }) => id))].toSorted()
const missing = wanted.filter((id) => sizes[id] === undefined)
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let id = missing.pop(); id !== undefined; id = missing.pop()) sizes[id] = await askFor(id)
  }),
)
const lines = wanted.map((id) => `  ${JSON.stringify(id)}: [${sizes[id]?.join(', ')}]`)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)

/** Packed, and unpacked as a tar: gzip ends with the size of what is in it, so its last four bytes are enough. */
async function askFor(id: string): Promise<[number, number]> {
  const at = id.lastIndexOf('@')
  const name = id.slice(0, at)
  const url = new URL(`${name}/-/${name.split('/').at(-1)}-${id.slice(at + 1)}.tgz`, registry)
  const answer = await fetch(url, { headers: { range: 'bytes=-4' } })
  const packed = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1])
  const end = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 206 || end.length !== 4) throw new Error(`${url.href} answered ${answer.status}`)
  return [packed, end.readUInt32LE()]
}
