import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideCardData } from './hide-card-data.ts'

const hidden = '"[hidden: card data]"'

for (const [stored, shown] of [
  ['{"card":"4242 4242 4242 4242"}', `{"card":${hidden}}`],
  ['{"pan": 4242424242424242}', `{"pan": ${hidden}}`],
  ['{"cvc":"123","n":1}', `{"cvc":${hidden},"n":1}`],
  ['{"note":"4242424242424242 12/30"}', `{"note":${hidden}}`],
  ['{"list":["4242424242424242 exp 12/30","a"]}', `{"list":[${hidden},"a"]}`],
] as const)
  test(`card data stored by mistake is not shown: ${stored}`, () => assert.equal(hideCardData(stored), shown))

test('everything else is shown as sent, including order numbers and exact decimals', () => {
  const meta =
    '{"order":"4242424242424242","price":1.10,"big":12345678901234567890,"quote":"say \\"12/30\\""}'
  assert.equal(hideCardData(meta), meta)
})
