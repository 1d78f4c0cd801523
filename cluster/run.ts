import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemplate, testEnvironment } from './databases.ts'
import { findCitus, waysToGetCitus } from './find-citus.ts'
import { printParts, runFiles, type Part } from './run-files.ts'
import { startCluster } from './start-cluster.ts'

// npm run cluster [-- file …]: Florin's own tests on a coordinator and two nodes of Citus, with a spread database of its own
// for each file; then a node that is lost, and a merchant that moves. Prints a table.

const root = fileURLToPath(new URL('..', import.meta.url))

process.exitCode = await main(process.argv.slice(2))

async function main(chosen: readonly string[]): Promise<number> {
  const programs = findCitus()
  if (programs === undefined) {
    process.stderr.write(`${waysToGetCitus}\n`)
    return 69
  }
  const parts = chosen.length > 0 ? [{ name: 'chosen files', files: chosen }] : allParts()
  const cluster = await startCluster(programs)
  const done: Part[] = []
  try {
    process.stdout.write(`Citus ${cluster.version} from ${programs}, a coordinator and two nodes\n`)
    await createTemplate(cluster)
    for (const { name, files } of parts) {
      done.push(await runFiles(root, name, files, testEnvironment(cluster)))
    }
  } finally {
    await cluster.stop()
  }
  printParts(done)
  return done.every(({ failed }) => failed === 0) ? 0 : 1
}

function allParts(): { name: string; files: string[] }[] {
  return [
    { name: 'flows', files: filesOf('test/flows') },
    { name: 'stores and rooms', files: filesOf('src') },
    { name: 'model stories', files: ['faults/model.test.ts'] },
    { name: 'a lost node', files: ['cluster/short.test.ts'] },
    { name: 'a move under load', files: ['cluster/move-under-load.ts'] },
  ]
}

/** What tests PostgreSQL itself, or a database that is not migrated, says nothing of a cluster. */
const notOfClusters = /startEmbedded|createEmptyDatabase|src\/database\//

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const usesDatabase = /\b(openHouse|openTill|openLiveHouse|createTestDatabase)\(/.test(text)
      return usesDatabase && !notOfClusters.test(file) && !notOfClusters.test(text)
    })
    .toSorted()
}
