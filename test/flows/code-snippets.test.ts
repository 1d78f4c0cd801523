import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { clientLanguages, readSnippet } from '../../src/guide/snippets/read-snippets.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'
import { canRun, runProgram } from '../support/languages.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paidPayment } from '../support/refunds.ts'
import { trySnippets } from '../support/try-snippets.ts'
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

// To compile Go three times takes half a minute: it is in code-snippets.long.test.ts.
for (const language of ['curl', 'Node', 'PHP', 'Python', 'Ruby', ...clientLanguages] as const)
  trySnippets(language, () => ({ house, folder }))

test('the Node receiver sample gets one webhook per paid payment, and refuses forged ones', async () => {
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

test('code in docs/ and the README is tested: from the guide, or a call that runs as pasted', async (context) => {
  const calls: string[] = []
  for (const [file, text] of readDocs()) {
    for (const [, language, code = ''] of text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
      if (language === 'mermaid') continue
      assert.equal(
        language,
        'html',
        `${file} has code in ${language}: it belongs into src/guide/snippets/code`,
      )
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
