import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test, type TestContext } from 'node:test'
import { clientMethods } from '../../src/guide/samples/clients.ts'
import { hasGuzzle } from '../../test/support/installed-clients.ts'
import { canRun } from '../../test/support/languages.ts'
import { call } from '../../test/support/house.ts'
import { operationsOf, type OpenApi } from '../node/write-types.ts'
import { openBreaking, openShopDay, openWrongTls, startKillable, type ShopDay } from '../shop-day.ts'
import { openHouse } from '../../test/support/house.ts'
import { saveCard } from '../../test/support/saved-methods.ts'
import { here, runPhp } from './run-php.ts'

// The PHP client, where PHP is installed, with Debian's packages of PHPUnit and Guzzle or those of Composer.

let day: ShopDay
before(async () => {
  day = await openShopDay()
})
after(() => day.close())

test('the PHP client has exactly one method for every call in /openapi.json', async () => {
  const document = (await call(`${day.house.url}/openapi.json`)).json as unknown as OpenApi
  const described = operationsOf(document).map(({ path, method, operation }) => ({
    call: `${method.toUpperCase()} ${path}`,
    id: operation.operationId,
  }))
  const folder = `${here}src/Resource/`
  const sources = new Map(
    readdirSync(folder).map((name) => [name.replace('.php', ''), readFileSync(folder + name, 'utf8')]),
  )
  const made = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/'(GET|POST|PATCH|DELETE)',\s*'([^']+)'/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  )
  assert.deepEqual(made.toSorted(), described.map((one) => one.call).toSorted())
  for (const { id } of described) {
    const [resource = '', method = ''] = (clientMethods[id] ?? '').split('.')
    const source = sources.get(resource.replace(/^./, (letter) => letter.toUpperCase())) ?? ''
    assert.match(source, new RegExp(`public function ${method}\\(`), `${id} is ${resource}.${method}`)
  }
})

test('amounts, signatures and exceptions of the PHP client follow the rules', async (context) => {
  if (spawnSync('phpunit', ['--version'], { stdio: 'ignore' }).status !== 0)
    return context.diagnostic(`note: no phpunit on this machine, so "${context.name}" ran nothing`)
  const { code, output } = await runPhp('phpunit', [
    '--do-not-cache-result',
    '--bootstrap',
    'tests/bootstrap.php',
    'tests',
  ])
  assert.equal(code, 0, output)
})

/** Runs one story of tests/against-a-server.php; `asked` answers what it asks for. */
async function tell(
  context: TestContext,
  story: string,
  given: Record<string, string> = {},
  asked: (question: string) => Promise<unknown> = async () => ({}),
): Promise<void> {
  if (!hasGuzzle() || !canRun('client.php', context)) return
  const { house, receiver } = day
  const environment = {
    FLORIN_URL: house.url,
    FLORIN_KEY: house.secretKey,
    CALLBACK_URL: receiver.url,
    ...given,
  }
  const { code, output } = await runPhp('php', ['tests/against-a-server.php', story], environment, asked)
  assert.equal(code, 0, output)
}

test('the PHP client creates a payment, gets its webhook, finds it and refunds it', async (context) => {
  await tell(context, 'journey', {}, async (checkoutUrl) => {
    await day.pay(checkoutUrl)
    return day.delivered()
  })
})

test('the PHP client charges a saved method once, lists and ends it', async (context) => {
  await tell(context, 'saved', { SAVED_METHOD: (await saveCard(day.house)).id })
})

test('the PHP client follows the pages of a list', async (context) => {
  await tell(context, 'lists', { FLORIN_API_KEY: day.house.apiKey })
})

test('the PHP client has an exception for every kind of failure, without the key', async (context) => {
  await tell(context, 'failures', { REVOKED_KEY: await day.revokedKey() })
})

test('the PHP client waits as long as the server asks when it is rate limited', async (context) => {
  const house = await openHouse({ settings: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' } })
  context.after(() => house.close())
  await tell(context, 'limited', { FLORIN_URL: house.url, FLORIN_KEY: house.secretKey })
})

test('the PHP client creates a payment only once even if the server is killed and restarted', async (context) => {
  if (!hasGuzzle()) return
  const server = await startKillable(day.house)
  context.after(() => server.kill())
  await tell(context, 'killed', { FLORIN_URL: server.url }, async (question) =>
    question === 'kill' ? server.kill() : server.restart(),
  )
})

test('the PHP client retries a response that breaks off in the middle', async (context) => {
  const breaking = await openBreaking(day.house, 2)
  context.after(() => breaking.close())
  await tell(context, 'broken', { FLORIN_URL: breaking.url })
})

test('the PHP client never sends the key without TLS or to an untrusted certificate', async (context) => {
  const { plain, unknown } = await openWrongTls(day.house)
  context.after(() => unknown.close())
  await tell(context, 'tls', { PLAIN_URL: plain, UNKNOWN_URL: unknown.url })
  assert.equal(unknown.received.length, 0)
})
