import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findGenerators } from '../support/client-generators.ts'
import { call, openHouse, type House } from '../support/house.ts'

// Clients are made of /openapi.json as a merchant's developer would, compiled by a strict compiler with the code that
// uses them (test/clients/), and let loose on a running Florin.

let house: House
let generators: Awaited<ReturnType<typeof findGenerators>>
const folder = mkdtempSync(join(tmpdir(), 'florin-clients-'))
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

before(async () => {
  house = await openHouse()
  generators = await findGenerators()
  if ('missing' in generators) return
  cpSync(at('test/clients'), folder, { recursive: true })
  symlinkSync(generators.modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'openapi.json'), (await call(`${house.url}/openapi.json`)).text)
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

/** Whether there are generators; if not, it is noted. */
function canGenerate(context: TestContext): boolean {
  if ('modules' in generators) return true
  context.diagnostic(`note: no client generators (${generators.missing}), so "${context.name}" ran nothing`)
  return false
}

async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...environment } })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, `${args.join(' ')}\n${output}${errors}`)
  return output
}

async function use(file: string): Promise<unknown> {
  const settings = { FLORIN_URL: house.url, FLORIN_KEY: house.secretKey, FLORIN_API_KEY: house.apiKey }
  return JSON.parse(await run([file], settings)) as unknown
}

test('clients made by openapi-typescript and hey-api compile with normal use', async (context) => {
  if (!canGenerate(context)) return
  await run(['node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'florin.d.ts'])
  const config = ['-f', 'hey-api.config.js', '--no-log-file']
  await run(['node_modules/@hey-api/openapi-ts/bin/run.js', ...config])
  const types = ['--typeRoots', at('node_modules/@types')]
  await run([at('node_modules/typescript/bin/tsc'), '-p', '.', ...types])
})

for (const [name, file, txRef] of [
  ['openapi-fetch', 'use-openapi-fetch.ts', 'fetch-1'],
  ['hey-api', 'use-hey-api.ts', 'hey-1'],
] as const) {
  test(`the client of ${name} creates, is refused, looks up, lists and keeps projects`, async (context) => {
    if (!canGenerate(context)) return
    const { next, ...told } = (await use(file)) as Record<string, unknown>
    assert.ok(next === null || typeof next === 'string')
    assert.deepEqual(told, {
      isSame: true,
      cart: 7,
      code: 'tx_ref_taken',
      rules: [],
      listed: [txRef],
      named: name === 'hey-api' ? 'Hey' : 'Fetch',
    })
  })
}
