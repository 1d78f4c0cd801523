import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fieldsIn } from '../support/fields-in.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { twoAtOnce } from '../support/two-at-once.ts'

// `florin form`: from a key to a form that can be pasted into a page.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

const settings = (): Record<string, string> => ({ DATABASE_URL: house.databaseUrl, BASE_URL: house.url })
const florin = async (...args: string[]): Promise<Ended> =>
  runFlorin([...args, ...(args[0] === 'key' ? ['--merchant', String(house.merchantId)] : [])], settings())
const create = ['key', 'create', '--kind', 'form', '--hosts', 'shop.example.com']

async function send(action: string, fields: Record<string, string>): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  return (await call(action, { method: 'POST', body: new URLSearchParams(fields).toString(), headers }))
    .status
}

test('a signed key prints its secret on a second line, and its form can be pasted and sent, but not edited', async () => {
  const made = await florin(...create, '--signed', '--tx-ref-prefix', 'web-')
  assert.match(made.out, /^fk_test_\w{38}\nfsec_\w{43}\n$/)
  const [key = ''] = made.out.split('\n')
  const words =
    'form --amount 20.00 --return-url https://shop.example.com/thanks --email ada@example.com --sign email'
  const { code, out, err } = await florin(
    ...words.split(' '),
    '--key',
    key,
    '--title',
    'Größe "L" <b>',
    '--meta',
    '{"path":"a\\\\b"}',
  )
  assert.deepEqual([code, err], [0, ''])
  assert.ok(out.startsWith(`<form method="post" action="${house.url}/ext_transfer"`), out)
  assert.match(out, /<label>First name <input type="text" name="first_name" required \/><\/label>/)
  assert.doesNotMatch(out, /fsec_|<b>/)
  const fields = { ...fieldsIn(out), first_name: 'Ada' }
  const action = `${house.url}/ext_transfer`
  for (const edit of [{ amount: '0.01' }, { email: 'eve@example.com' }, { tx_ref: 'web-other' }])
    assert.equal(await send(action, { ...fields, ...edit }), 400)
  assert.equal(await send(action, fields), 303)
  const txRef = (fields as Record<string, string>)['tx_ref'] ?? ''
  assert.match(txRef, /^web-[0-9a-f]{12}$/)
  const found = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  assert.ok(found.text.includes('Größe'))

  const json = await florin('form', '--key', key, '--amount', '5', '--email', 'a@example.com', '--json')
  const printed = JSON.parse(json.out) as { action: string; fields: Record<string, string> }
  assert.equal(await send(printed.action, { ...printed.fields, first_name: 'Ada' }), 303)
})

test('a form its key would refuse is refused before it is published', async () => {
  const [key = ''] = (await florin(...create, '--currency', 'GBP', '--max', '50.00')).out.split('\n')
  const form = ['form', '--key', key, '--amount', '20.00']
  const cases: [string[], number, RegExp][] = [
    [['form', '--amount', '20.00'], 64, /^--key is required/],
    [['form', '--key', key], 64, /^--amount is required/],
    [['form', '--key', house.secretKey, '--amount', '1'], 64, /^Don.t put a secret key into a web page/],
    [
      [...form, '--sign', 'amount'],
      64,
      /^--sign must be some of email, first_name, last_name, but has "amount"$/,
    ],
    [[...form, '--sign', 'email'], 64, /^--sign email needs --email$/],
    [
      [...form, '--sign', 'email', '--email', 'a@example.com'],
      64,
      /^--sign is for keys that take signed forms/,
    ],
    [[...form, '--title', 'Order'], 64, /^This key doesn.t show a title, description, logo or items/],
    [[...form, '--callback-url', 'https://other.example.com'], 64, /^callback_url must use a host/],
    [['form', '--key', key, '--amount', '50.01'], 64, /^amount is above the maximum of this form key/],
    [
      ['form', '--key', `fk_test_${'x'.repeat(38)}`, '--amount', '1'],
      69,
      /^This form key is unknown or no longer valid/,
    ],
  ]
  await twoAtOnce(cases, async ([args, code, line]) => {
    const ended = await florin(...args)
    assert.match(ended.err.trimEnd(), line)
    assert.deepEqual([ended.code, ended.out], [code, ''], args.join(' '))
  })
})

test('the key list shows each form key’s bounds, and rolling a signed one prints its new secret', async () => {
  const made = JSON.parse(
    (await florin(...create, '--signed', '--callback-hosts', 'hooks.example.com', '--json')).out,
  ) as Record<string, string>
  assert.deepEqual(Object.keys(made), ['id', 'key', 'form_secret'])
  const listed = JSON.parse((await florin('key', 'list', '--json')).out) as { id: string; form: unknown }[]
  assert.deepEqual(listed.find(({ id }) => id === made['id'])?.form, {
    hosts: ['shop.example.com'],
    callback_hosts: ['hooks.example.com'],
    tx_ref_prefix: null,
    currencies: null,
    min_minor: null,
    max_minor: null,
    signed: true,
    shows_title: true,
  })
  assert.equal(listed.find(({ form }) => form === null) === undefined, false, 'other keys have no bounds')
  const rolled = await florin('key', 'roll', made['id'] ?? '')
  assert.match(rolled.out, /^fk_test_\w{38}\nfsec_\w{43}\n$/)
  assert.ok(!rolled.out.includes(made['form_secret'] ?? '-'))
})
