import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { webhookSecrets } from '../../src/notifications/ipn/webhook-secrets.ts'
import { languages, readSnippet, readSnippets, withKey } from '../../src/snippets/read-snippets.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { canRun, runProgram } from '../support/languages.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paidPayment } from '../support/refunds.ts'
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
    const run = async (name: string, given: Record<string, string>) => {
      const file = `${name}.${ending === 'js' ? 'mjs' : ending}`
      const code = readSnippet(`${name}.${ending}`, house.url)
      const ran = await runProgram(
        ending,
        folder,
        { [file]: code },
        { environment: { ...environment(), ...given } },
      )
      assert.equal(ran.code, 0, ran.errors)
      return ran.output
    }
    const created = await run('create', {})
    assert.match(created, /\/payment\/\d{32}/)
    const { json } = await call(`${house.url}/api/transactions?limit=1`, { key: house.secretKey })
    const [{ tx_ref: txRef } = { tx_ref: '' }] = json.data as { tx_ref: string }[]
    assert.match(txRef, /^order-\w{8,}$/)
    if (ending !== 'sh') assert.ok(created.startsWith(`${txRef} `), created)
    assert.match(await run('look-up', { TX_REF: txRef }), /pending.*123450|123450.*pending/s)
  })

  test(`the ${language} code with a key in it runs without an environment`, async (context) => {
    if (!canRun(ending, context)) return
    const snippets = withKey(readSnippets('create', house.url), house.secretKey)
    const code = snippets.find((one) => one.language === language)?.code ?? ''
    assert.doesNotMatch(code, /FLORIN_KEY|order-1001/)
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
      { environment: { FLORIN_KEY: 'sk_test_1', TX_REF: 'order-1' } },
    )
    assert.match(ran.output + ran.errors, /Invalid secret key/)
    if (ending !== 'sh') assert.notEqual(ran.code, 0)
  })
}

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

test('code in docs/ and the README is code that is run: of the guide, or a call that runs as it is pasted', async (context) => {
  const calls: string[] = []
  for (const [file, text] of readDocs()) {
    for (const [, language, code = ''] of text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
      if (language === 'mermaid') continue
      assert.equal(language, 'html', `${file} has code in ${language}: it belongs into src/snippets/code`)
      assert.equal(code.trim(), readSnippet('forms/form.html'), file)
    }
    for (const [found] of text.matchAll(/^ *`?curl (?:.*\\\n)*.*$/gm)) calls.push(found.replaceAll('`', ''))
  }
  assert.ok(calls.length >= 6)
  if (!canRun('sh', context)) return
  const { txRef } = await paidPayment(house)
  for (const pasted of calls) {
    assert.doesNotMatch(pasted, /…|[{<]\w+[}>]|[as]k_/, `${pasted} has something in it to replace by hand`)
    const here = pasted
      .replace(/https?:\/\/(pay\.example\.com|projects\.example\.com|127\.0\.0\.1:3000)/, house.url)
      .replace(/^ *curl /, 'curl -sS ')
    const ran = await runProgram(
      'sh',
      folder,
      { 'docs.sh': here },
      { environment: { ...environment(), TX_REF: txRef } },
    )
    assert.match(ran.output, /^\{"status":"success"/, `${pasted} is answered with ${ran.output}${ran.errors}`)
  }
})

function readDocs(): [string, string][] {
  const docs = new URL('../../docs/', import.meta.url)
  const names = readdirSync(docs).filter((name) => name.endsWith('.md'))
  return ['../README.md', ...names].map((name) => [name, readFileSync(new URL(name, docs), 'utf8')])
}
