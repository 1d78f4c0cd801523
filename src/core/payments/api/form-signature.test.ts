import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import {
  checkSignature,
  mayBeSigned,
  mayShowTitle,
  signedFields,
  signedText,
  signForm,
} from './form-signature.ts'

const formSecret = 'fsec_test'

function refusalOf(fields: FormFields, secret: string | undefined = formSecret): string | undefined {
  try {
    checkSignature(secret, fields)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'validation_failed')
    return error.message
  }
}

function signed(fields: Record<string, string>): Map<string, string> {
  const map = new Map(Object.entries(fields))
  return map.set('form_signature', signForm(formSecret, map))
}

test('the signed text is written as the guide describes it', () => {
  const fields = new Map([
    ['amount', '20.00'],
    ['secret_key', 'fk_test_1'],
    ['tx_ref', 'order-1001'],
    ['currency', 'GBP'],
    ['meta', '{"path":"a\\\\b"}'],
    ['description', 'one\r\ntwo\nthree\rfour'],
    ['email', 'ada@example.com'],
    ['form_signed', 'email'],
  ])
  const text = [
    'florin-form-v1',
    'secret_key=fk_test_1',
    'tx_ref=order-1001',
    'amount=20.00',
    'currency=GBP',
    'callback_url=',
    'return_url=',
    'title=',
    'description=one\\ntwo\\nthree\\nfour',
    'logo=',
    'meta={"path":"a\\\\\\\\b"}',
    'project=',
    'form_signed=email',
    'email=ada@example.com',
  ].join('\n')
  assert.equal(signedText(fields), text)
  assert.equal(signForm(formSecret, fields), createHmac('sha256', formSecret).update(text).digest('hex'))
})

test('the text shown in docs/web-form.md is the text that is signed', () => {
  const page = readFileSync(new URL('../../../../docs/web-form.md', import.meta.url), 'utf8')
  const shown = /^```\n(florin-form-v1\n[^]*?)\n```$/m.exec(page)?.[1] ?? ''
  const fields = shown.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf('=')
    return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
  })
  assert.equal(fields.length, signedFields.length + 1)
  assert.equal(signedText(new Map(fields)), shown)
})

const values = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', 'a\nb', '\\n', '\n', '\\', 'amount=1', 'x\ntx_ref=y'),
)
const names = [...signedFields, ...mayBeSigned, 'form_signed']
const form = fc
  .dictionary(fc.constantFrom(...names), values, { noNullPrototype: true })
  .map((fields): Record<string, string> => ({
    ...fields,
    form_signed: fields['form_signed'] === undefined ? '' : 'email last_name',
  }))

// Browsers change line breaks, so forms that differ in nothing else are one form.
const oneBreak = (text: string): string => text.replace(/\r\n|\r/g, '\n')
const signedPart = (fields: Record<string, string>): string[] =>
  [...signedFields, 'form_signed', ...(fields['form_signed'] ? ['email', 'last_name'] : [])].map((name) =>
    oneBreak(fields[name] ?? ''),
  )

test('a signature is valid for its own form only, however the fields are split', () => {
  fc.assert(
    fc.property(form, form, (one, other) => {
      const isSame = JSON.stringify(signedPart(one)) === JSON.stringify(signedPart(other))
      const fields = new Map([
        ...Object.entries(other),
        ['form_signature', signForm(formSecret, signed(one))],
      ] as const)
      assert.equal(refusalOf(fields) === undefined, isSame)
    }),
    { numRuns: 1_000 },
  )
})

test('a form with any merchant field changed is refused', () => {
  fc.assert(
    fc.property(form, fc.constantFrom(...signedFields), values, (fields, name, value) => {
      fc.pre(oneBreak(fields[name] ?? '') !== oneBreak(value))
      const changed = signed(fields).set(name, value)
      assert.equal(refusalOf(changed), 'form_signature does not match the fields of this form')
    }),
    { numRuns: 1_000 },
  )
})

test('the customer’s details may be changed, unless the form signs them', () => {
  const free = signed({ tx_ref: 'a', email: 'ada@example.com' })
  assert.equal(refusalOf(free.set('email', 'bob@example.com').set('first_name', 'Bob')), undefined)
  const bound = signed({ tx_ref: 'a', email: 'ada@example.com', form_signed: 'email' })
  assert.equal(refusalOf(new Map(bound).set('first_name', 'Bob')), undefined)
  assert.match(refusalOf(new Map(bound).set('email', 'bob@example.com')) ?? '', /does not match/)
  const without = new Map(bound).set('email', 'bob@example.com')
  without.delete('form_signed')
  assert.match(refusalOf(without) ?? '', /does not match/, 'that it is signed is signed')
  assert.equal(
    refusalOf(signed({ form_signed: 'email, amount' })),
    'form_signed may name email, first_name, last_name, but names amount',
  )
})

test('fields with brackets aren’t covered by the signature, so a signed form refuses them', () => {
  for (const name of ['meta[cart]', 'meta[0]', 'meta[a][b]'])
    assert.match(refusalOf(signed({ tx_ref: 'a' }).set(name, '1')) ?? '', /^meta must be JSON text/)
  assert.match(
    refusalOf(signed({ tx_ref: 'a' }).set('customization[title]', 'Evil')) ?? '',
    /^customization must be title/,
  )
  assert.match(
    refusalOf(signed({ tx_ref: 'a' }).set('items[0][name]', 'Evil')) ?? '',
    /^items must be JSON text/,
  )
  assert.equal(refusalOf(signed({ tx_ref: 'a' }).set('csrf[token]', 'x').set('button', 'Pay')), undefined)
})

test('a missing, truncated, wrongly cased or foreign signature is refused', () => {
  const good = signed({ tx_ref: 'a' })
  const signature = good.get('form_signature') ?? ''
  const withSignature = (text: string): Map<string, string> => new Map(good).set('form_signature', text)
  assert.equal(refusalOf(withSignature(` ${signature.toUpperCase()} `)), undefined)
  for (const text of [signature.slice(1), `${signature}0`, 'x', 'é'.repeat(64), '0'.repeat(64)])
    assert.match(refusalOf(withSignature(text)) ?? '', /does not match/, text)
  assert.match(refusalOf(withSignature(' ')) ?? '', /^form_signature is required/)
  assert.match(refusalOf(good, 'fsec_other') ?? '', /does not match/)
  // Whoever signs believes that it is looked at.
  assert.throws(() => checkSignature(undefined, good), /can.t be used with this key/)
  checkSignature(undefined, new Map([['tx_ref', 'a']]))
})

test('items and amount_minor are signed after the other fields, if the form has any', () => {
  const lines = (items: string): string[] =>
    signedText(new Map([['items', items]]))
      .split('\n')
      .slice(-3)
  assert.deepEqual(lines('[]'), ['project=', 'items=[]', 'form_signed='])
  assert.match(signedText(new Map([['amount_minor', '5']])), /project=\namount_minor=5\nform_signed=/)
  assert.deepEqual(lines(''), ['meta=', 'project=', 'form_signed='])
})

test('a title is shown if the merchant signed it or its key allows it', () => {
  const sealed = Buffer.from('sealed')
  const shows = (showsTitle: boolean | undefined, sealedFormSecret?: Buffer): boolean =>
    mayShowTitle({
      bounds: showsTitle === undefined ? undefined : { hosts: [], showsTitle },
      sealedFormSecret,
    })
  assert.deepEqual([shows(undefined), shows(true), shows(false)], [true, true, false])
  assert.deepEqual([shows(undefined, sealed), shows(false, sealed)], [true, true])
})
