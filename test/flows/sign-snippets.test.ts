import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createKey, type FreshKey } from '../../src/core/merchants/change-keys.ts'
import { readSnippet } from '../../src/guide/snippets/read-snippets.ts'
import { fieldsIn } from '../support/fields-in.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { canRun, runProgram, type Ending } from '../support/languages.ts'

// The code that merchants copy to sign a form, run as it stands in the guide: what it prints is sent as a browser would.

let house: House
let key: FreshKey
const folder = mkdtempSync(join(tmpdir(), 'florin-sign-'))
before(async () => {
  house = await openHouse()
  const bounds = { hosts: ['shop.example.com'] }
  key = await createKey(house.db, house.merchantId, {
    kind: 'form',
    name: 'web',
    bounds,
    signing: house.secrets,
  })
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

/** In the words of each language: JSON on several lines, and a list of what else is signed. */
const changes: Partial<Record<Ending, readonly [string, string][]>> = {
  js: [
    ['{ cart: 7 })', '{ cart: 7 }, null, 2)'],
    ["currency: 'GBP',", "currency: 'GBP', form_signed: 'email first_name',"],
  ],
  php: [
    ["['cart' => 7])", "['cart' => 7], JSON_PRETTY_PRINT)"],
    ["'currency' => 'GBP',", "'currency' => 'GBP', 'form_signed' => 'email first_name',"],
  ],
  py: [
    ['{"cart": 7})', '{"cart": 7}, indent=2)'],
    ['"currency": "GBP",', '"currency": "GBP", "form_signed": "email first_name",'],
  ],
}

async function printed(ending: Ending, edit: (code: string) => string): Promise<Record<string, string>> {
  const file = `sign.${ending === 'js' ? 'mjs' : ending}`
  const environment = { FLORIN_FORM_KEY: key.key, FLORIN_FORM_SECRET: key.formSecret ?? '' }
  const ran = await runProgram(
    ending,
    folder,
    { [file]: edit(readSnippet(`forms/sign.${ending}`, house.url)) },
    { environment },
  )
  assert.equal(ran.code, 0, ran.errors)
  assert.ok(ran.output.includes(`action="${house.url}/ext_transfer"`))
  return fieldsIn(ran.output)
}

async function send(fields: Record<string, string>): Promise<number> {
  // Browsers send line breaks as CR LF.
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]),
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  return (await call(`${house.url}/ext_transfer`, { method: 'POST', body: body.toString(), headers })).status
}

for (const [ending, edits] of Object.entries(changes) as [Ending, readonly [string, string][]][]) {
  test(`the ${ending} code signs a form that is accepted, and refused once edited`, async (context) => {
    if (!canRun(ending, context)) return
    const plain = await printed(ending, (code) => code)
    assert.equal(await send({ ...plain, amount: '0.01' }), 400)
    assert.equal(await send({ ...plain, email: 'bob@example.com' }), 303)

    const odd = await printed(ending, (code) =>
      edits.reduce(
        (text, [from, to]) => {
          assert.ok(text.includes(from), from)
          return text.replace(from, to)
        },
        code.replace('Order 1001', 'Tea & “cake” <☕> a\\\\b=c'),
      ),
    )
    assert.match(odd['meta'] ?? '', /\n/)
    assert.equal(odd['title'], 'Tea & “cake” <☕> a\\b=c')
    assert.equal(await send({ ...odd, email: 'bob@example.com' }), 400, 'the e-mail address is signed')
    assert.equal(await send(odd), 303)
  })
}
