import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  languages,
  readSnippet,
  readSnippets,
  withKey,
  type Language,
} from '../../src/guide/snippets/read-snippets.ts'
import { call, type House } from './house.ts'
import { canRun, runProgram } from './languages.ts'

/** The code to create a payment and to look it up, in one language, as it stands and with a key in it. */
export function trySnippets(language: Language, open: () => { house: House; folder: string }): void {
  const ending = languages[language]
  test(`the ${language} code creates a payment and looks it up`, async (context) => {
    if (!canRun(ending, context)) return
    const { house, folder } = open()
    const run = async (name: string, given: Record<string, string>) => {
      const file = `${name}.${ending === 'js' ? 'mjs' : ending}`
      const code = readSnippet(`${name}.${ending}`, house.url)
      const ran = await runProgram(
        ending,
        folder,
        { [file]: code },
        { environment: { FLORIN_KEY: house.secretKey, ...given } },
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
    const { house, folder } = open()
    const snippets = withKey(readSnippets('create', house.url), house.secretKey)
    const code = snippets.find((one) => one.language === language)?.code ?? ''
    assert.doesNotMatch(code, /FLORIN_KEY|order-1001/)
    const file = `own.${ending === 'js' ? 'mjs' : ending}`
    const ran = await runProgram(ending, folder, { [file]: code }, { environment: {} })
    assert.equal(ran.code, 0, ran.errors)
    assert.match(ran.output, /\/payment\/\d{32}/)
  })

  test(`the ${language} code reports what was wrong`, async (context) => {
    if (!canRun(ending, context)) return
    const { house, folder } = open()
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
