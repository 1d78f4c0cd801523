import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openHouse, type House } from '../../test/support/house.ts'
import { paidPayment } from '../../test/support/refunds.ts'

// The PHP client, where PHP is installed, with Debian's packages of PHPUnit and Guzzle or those of Composer.

const here = fileURLToPath(new URL('.', import.meta.url))
let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

function isThere(context: TestContext, program: string, file?: string): boolean {
  const found = spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
  const isComplete =
    found && (file === undefined || existsSync(file) || existsSync(`${here}vendor/autoload.php`))
  if (!isComplete) context.diagnostic(`note: no ${file ?? program} here, so "${context.name}" ran nothing`)
  return isComplete
}

async function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const child = spawn(program, args, { cwd: here, env: { ...process.env, ...environment } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, output)
  return output
}

test('amounts and signatures of the PHP client keep their rules', async (context) => {
  if (!isThere(context, 'phpunit')) return
  await run('phpunit', ['--do-not-cache-result', '--bootstrap', 'tests/bootstrap.php', 'tests'])
})

test('the PHP client creates, lists, refunds and fails as it should', async (context) => {
  if (!isThere(context, 'php', '/usr/share/php/GuzzleHttp/autoload.php')) return
  const { txRef } = await paidPayment(house)
  const environment = { FLORIN_URL: house.url, FLORIN_KEY: house.secretKey, PAID_TX_REF: txRef }
  assert.equal(await run('php', ['tests/against-a-server.php'], environment), 'ok\n')
})
