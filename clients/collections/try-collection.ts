import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/platform/database/migrate.ts'
import { brunoEnvironment } from '../../src/guide/collections/bruno.ts'
import { collectionPaths } from '../../src/guide/collections/paths.ts'
import { freePort } from '../../test/support/free-port.ts'
import { openHouse } from '../../test/support/house.ts'
import { startStoppablePostgres } from '../../test/support/stoppable-postgres.ts'

// `npm run collections`: downloads the collections from a new Florin and sends every call of them, with Bruno's own command line and with
// Postman's. npx fetches both from the registry, so npm test does without them. Needs unzip.

const bruno = '@usebruno/cli@4.1.0'
const newman = 'newman@6.2.1'

const folder = mkdtempSync(join(tmpdir(), 'florin-collections-'))
const postgres = await startStoppablePostgres()
try {
  await migrate(postgres.url)
  const port = String(await freePort())
  const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
  const house = await openHouse({ databaseUrl: postgres.url, settings })
  try {
    const keys = { secret_key: house.secretKey, api_key: house.apiKey }
    const given = (option: string): string[] =>
      Object.entries(keys).flatMap(([name, value]) => [option, `${name}=${value}`])
    for (const [name, path] of Object.entries(collectionPaths)) {
      const answer = await fetch(house.url + path)
      writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()))
    }
    if (spawnSync('unzip', ['-q', 'bruno'], { cwd: folder, stdio: 'inherit' }).status !== 0)
      throw new Error('unzip failed')
    const ran = [
      await npx(
        bruno,
        ['run', '-r', '--env', brunoEnvironment, ...given('--env-var')],
        join(folder, 'florin'),
      ),
      await npx(newman, ['run', 'postman', ...given('--env-var')], folder),
    ]
    process.exitCode = ran.every((code) => code === 0) ? 0 : 1
  } finally {
    await house.close()
  }
} finally {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** The server lives in this process: nothing may block it. */
async function npx(name: string, args: readonly string[], cwd: string): Promise<number | null> {
  const child = spawn('npx', ['--yes', name, ...args], { cwd, stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', resolve))
}
