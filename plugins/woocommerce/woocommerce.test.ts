import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pluginFiles } from './write-zip.ts'

// The parts of the plugin that need no WordPress. `npm run shops` tries it in a real one.

const here = fileURLToPath(new URL('.', import.meta.url))

function isThere(program: string, context: TestContext): boolean {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0) return true
  context.diagnostic(`note: no ${program} on this machine, so "${context.name}" ran nothing`)
  return false
}

async function run(program: string, args: readonly string[], cwd = here): Promise<void> {
  const child = spawn(program, args, { cwd })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, output)
}

test('the rules of the WooCommerce plugin hold without WordPress', async (context) => {
  if (!isThere('phpunit', context)) return
  await run('phpunit', ['--do-not-cache-result', '--bootstrap', 'tests/bootstrap.php', 'tests'])
})

test('the plugin’s zip is complete, and all its PHP files parse', async (context) => {
  const files = pluginFiles()
  const names = files.map(({ name }) => name)
  for (const name of [
    'florin-payments.php',
    'uninstall.php',
    'readme.txt',
    'src/Gateway.php',
    'assets/blocks.js',
    'lib/Webhook.php',
  ])
    assert.ok(names.includes(`florin-payments/${name}`), name)
  assert.ok(!names.some((name) => /tests|\.ts$|Api\.php$|Resource/.test(name)), names.join())
  const used = files.flatMap(({ text }) =>
    [...text.matchAll(/^use (Florin\\[\w\\]+);/gm)].map((match) => match[1] ?? ''),
  )
  for (const name of used)
    assert.ok(
      names.includes(`florin-payments/lib/${name.replace('Florin\\', '').replaceAll('\\', '/')}.php`),
      name,
    )
  if (!isThere('php', context)) return
  const folder = mkdtempSync(join(tmpdir(), 'florin-plugin-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const php = files.filter(({ name }) => name.endsWith('.php'))
  for (const { name, text } of php) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const check =
    'foreach (array_slice($argv, 1) as $file) { token_get_all(file_get_contents($file), TOKEN_PARSE); }'
  await run('php', ['-r', check, ...php.map(({ name }) => name)], folder)
})

test('every text in the plugin can be translated in its own text domain', () => {
  for (const { name, text } of pluginFiles().filter((file) => /\/src\/.*\.php$/.test(file.name)))
    for (const [call] of text.matchAll(/\b(?:__|esc_html__|esc_attr__)\((?:'(?:[^'\\]|\\.)*'|[^)])*\)/g))
      assert.match(call, /'florin-payments'\)$/, `${name}: ${call}`)
})
