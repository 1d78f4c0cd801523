import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findGenerators } from '../../test/support/client-generators.ts'
import { openHouse, type House } from '../../test/support/house.ts'

// The package as a stranger gets it: packed, installed into an empty project, and used as its README says.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'florin-client-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/florin-client')
let house: House

before(async () => {
  house = await openHouse()
  mkdirSync(project)
  // A copy, so that nothing is written into the checkout; it builds with the compiler above it.
  mkdirSync(join(folder, 'clients'))
  cpSync(join(root, 'clients/node'), join(folder, 'clients/node'), { recursive: true })
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  mkdirSync(join(folder, 'node_modules'))
  cpSync(join(root, 'node_modules/typescript'), join(folder, 'node_modules/typescript'), { recursive: true })
  cpSync(join(root, 'node_modules/@typescript'), join(folder, 'node_modules/@typescript'), {
    recursive: true,
  })
  await run('npm', ['pack', '--pack-destination', folder], join(folder, 'clients/node'))
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, archive)], project)
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, FLORIN_KEY: house.secretKey, FLORIN_URL: house.url }
  const child = spawn(program, args, { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${output}`)
  return output
}

test('the first lines of the README create a payment', async () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8')
  const [, code = ''] = /```js\n([^]*?)```/.exec(readme) ?? []
  writeFileSync(join(project, 'first.js'), code)
  assert.match(await run(process.execPath, ['first.js'], project), /\/payment\/\d{32}$/m)
})

test('the package is small and contains only the program, its types and two pages', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(installed, name)).isFile(),
  )
  assert.ok(
    files.every((name) => /^(dist\/[\w-]+\.(d\.ts|js)|README\.md|CHANGELOG\.md|package\.json)$/.test(name)),
    String(files),
  )
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
  // The types of saved methods brought it beyond 60,000, amount_minor beyond 66,000.
  assert.ok(bytes < 68_000, `${bytes} bytes`)
})

test('a strict program compiles against it with TypeScript 7 and 5', async (context) => {
  writeFileSync(
    join(project, 'use.ts'),
    `import { Florin, type Transaction } from 'florin-client'
const florin = new Florin('sk_test_', { baseUrl: 'https://pay.example.com' })
export async function paid(): Promise<string[]> {
  const seen: string[] = []
  for await (const payment of florin.payments.list({ status: 'success', created_from: new Date() })) seen.push(payment.tx_ref)
  const one: Transaction = await florin.payments.get('a')
  // @ts-expect-error a float is no amount
  await florin.payments.create({ tx_ref: 'a', amount: 1.5, currency: 'GBP', email: 'a@b.c', first_name: 'A' })
  return one.status === 'success' ? seen : []
}
`,
  )
  const common = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: 'es2022' }
  const setups = [
    { module: 'nodenext', types: [] },
    { module: 'esnext', moduleResolution: 'bundler', types: [] },
  ]
  const generators = await findGenerators()
  const older = 'modules' in generators ? join(generators.modules, 'typescript/bin/tsc') : ''
  if (!existsSync(older)) context.diagnostic('note: no older TypeScript here')
  for (const compiler of [join(root, 'node_modules/typescript/bin/tsc'), older].filter(existsSync)) {
    for (const setup of setups) {
      const compilerOptions = { ...common, ...setup }
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
      await run(process.execPath, [compiler, '-p', project], project)
    }
  }
})

test('the package uses nothing specific to Node, so it runs on Bun, Deno and workers', () => {
  const dist = join(installed, 'dist')
  for (const name of readdirSync(dist).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(dist, name), 'utf8')
    assert.doesNotMatch(text, /\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/, name)
  }
})
