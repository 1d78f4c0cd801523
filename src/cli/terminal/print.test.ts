import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visible } from './print.ts'

test('other people’s text can’t move the cursor, change colours or reverse the line', () => {
  assert.equal(visible('ok\u001b[2J\r\nnext'), 'ok\\u001b[2J\\u000d\\nnext')
  assert.equal(visible('a\u202eb\u2066c\u009bd'), 'a\\u202eb\\u2066c\\u009bd')
  assert.equal(visible('Zoë £10 🧦'), 'Zoë £10 🧦')
})
