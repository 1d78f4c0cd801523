import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { notificationOperations } from '../../src/notifications/operations.ts'
import { webhookSecrets } from '../../src/notifications/ipn/webhook-secrets.ts'
import { paymentOperations } from '../../src/payments/api/operations.ts'
import { projectOperations } from '../../src/projects/operations.ts'
import { curlOf } from '../../src/reference/curl.ts'
import { languages, readSnippet, readSnippets, withKey } from '../../src/snippets/read-snippets.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { canRun, runProgram, type Ending } from '../support/languages.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { waitUntil } from '../support/wait-until.ts'

// Every piece of code of the guide and of docs/, run as it stands against a real Florin.

let house: House
const folder = mkdtempSync(join(tmpdir(), 'florin-code-'))
before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

const environment = (): Record<string, string> => ({
  FLORIN_KEY: house.secretKey,
  FLORIN_API_KEY: house.apiKey,
})

for (const [language, ending] of Object.entries(languages)) {
  test(`the ${language} code creates a payment and looks it up`, async (context) => {
    if (!canRun(ending, context)) return
    const txRef = `order of ${language}/1`
    const run = async (name: string) => {
      const code = readSnippet(`${name}.${ending}`, house.url).replaceAll(
        'order-1001',
        fitting(txRef, name, ending),
      )
      const file = `${name}.${ending === 'js' ? 'mjs' : ending}`
      const ran = await runProgram(ending, folder, { [file]: code }, { environment: environment() })
      assert.equal(ran.code, 0, ran.errors)
      return ran.output
    }
    assert.match(await run('create'), /\/payment\/\d{32}/)
    const found = await run('look-up')
    assert.match(found, /pending.*2000|2000.*pending/s)
  })

  test(`the ${language} code with a key in it runs without an environment`, async (context) => {
    if (!canRun(ending, context)) return
    const snippets = withKey(readSnippets('create', house.url), house.secretKey)
    const code = snippets.find((one) => one.language === language)?.code ?? ''
    assert.doesNotMatch(code, /FLORIN_KEY|order-1001/)
    const orders = snippets.map((one) => /order-\d+/.exec(one.code)?.[0])
    assert.equal(new Set(orders).size, snippets.length, 'one after the other, none is refused as taken')
    const file = `own.${ending === 'js' ? 'mjs' : ending}`
    const ran = await runProgram(ending, folder, { [file]: code }, { environment: {} })
    assert.equal(ran.code, 0, ran.errors)
    assert.match(ran.output, /\/payment\/\d{32}/)
  })

  test(`the ${language} code tells what was wrong`, async (context) => {
    if (!canRun(ending, context)) return
    const code = readSnippet(`look-up.${ending}`, house.url)
    const file = `wrong.${ending === 'js' ? 'mjs' : ending}`
    const ran = await runProgram(
      ending,
      folder,
      { [file]: code },
      { environment: { FLORIN_KEY: 'sk_test_1' } },
    )
    assert.match(ran.output + ran.errors, /Invalid secret key/)
    if (ending !== 'sh') assert.notEqual(ran.code, 0)
  })
}

/** curl is given an address that is encoded already; the programs encode it themselves. */
function fitting(txRef: string, name: string, ending: Ending): string {
  return ending === 'sh' && name === 'look-up' ? encodeURIComponent(txRef) : txRef
}

test('every call of the guide can be pasted into a shell, and is answered as it is described', async (context) => {
  if (!canRun('sh', context)) return
  await post(`${house.url}/api/payment`, paymentRequest({ tx_ref: 'order-1001' }), house.secretKey)
  await post(`${house.url}/api/v1/projects`, { project: 'Summer sale' }, house.apiKey)
  const all = [...paymentOperations, ...notificationOperations, ...projectOperations(house.url)]
  for (const operation of all) {
    // This one waits for something to happen; forms are sent by browsers.
    if (operation.key === 'in the form' || operation.id === 'listenToNotifications') continue
    const call = curlOf(operation, house.url)
      .replaceAll('https://shop.example.com', house.url)
      .replace('curl ', String.raw`curl -sS -w '\n%{http_code}' `)
    const ran = await runProgram('sh', folder, { 'call.sh': call }, { environment: environment() })
    assert.equal(ran.code, 0, `${call}\n${ran.errors}`)
    const status = Number(ran.output.trimEnd().split('\n').at(-1))
    assert.ok(
      operation.answers.some((answer) => answer.status === status),
      `${operation.id} answered ${ran.output}`,
    )
    assert.ok(![400, 401, 403, 413, 415].includes(status), `${operation.id} answered ${ran.output}`)
  }
})

test('the receiver in Node hears of a paid payment once, and believes nobody else', async () => {
  const [secret] = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const file of ['verify.js', 'receive.js']) writeFileSync(join(folder, file), readSnippet(file))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/ipn`
  const env = { ...process.env, PORT: String(port), FLORIN_WEBHOOK_SECRET: secret?.secret ?? '' }
  const shop = spawn(process.execPath, ['receive.js'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const worker = house.app.startWorker()
  try {
    const stranger = { method: 'POST', body: '{"event":"payment.success","tx_ref":"x"}' }
    await waitUntil(
      'the shop is open',
      async () => (await fetch(url, stranger).catch(() => undefined))?.status === 401,
    )
    const payment = await createPayment(house, { callback_url: url })
    await happens(house, payment, 'paid')
    const [told] = (await once(shop.stdout.setEncoding('utf8'), 'data')) as [string]
    assert.match(told, new RegExp(`^deliver ${payment.txRef} `))
  } finally {
    await worker.stop()
    shop.kill()
  }
})

test('code in docs/ is code that is run: of the guide, or a call that a shell takes', async (context) => {
  const docs = new URL('../../docs/', import.meta.url)
  const calls: string[] = []
  for (const file of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(new URL(file, docs), 'utf8')
    for (const [, language, code = ''] of text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
      if (language === 'mermaid') continue
      assert.equal(language, 'html', `${file} has code in ${language}: it belongs into src/snippets/code`)
      assert.equal(code.trim(), readSnippet('forms/form.html'), file)
    }
    for (const [call] of text.matchAll(/^ {4,}curl (?:.*\\\n)*.*$/gm)) calls.push(call)
  }
  assert.ok(calls.length >= 5)
  if (!canRun('sh', context)) return
  for (const call of calls) {
    const pasted = call
      .replace('ak_…', house.apiKey)
      .replace(/sk_(test_)?…/, house.secretKey)
      .replace(/https:\/\/(pay|projects)\.example\.com/, house.url)
    const ran = await runProgram('sh', folder, { 'docs.sh': pasted }, {})
    assert.match(ran.output, /"status":"(success|failed)"/, call)
    assert.doesNotMatch(ran.output, /unauthorized|not_found|malformed/, call)
  }
})
