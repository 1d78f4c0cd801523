import assert from 'node:assert/strict'
import { test } from 'node:test'
import { styleFile } from '../../../../test/support/page-model.ts'
import { english } from '../language.ts'
import { errorPage } from './error-page.ts'

const setting = { language: english, isChosen: false, prefix: '', styleFile }

test('a page that failed to load offers a retry; a payment that may have gone through doesn’t', () => {
  const tryAgain = '<a class="go button" href="">Try again</a>'
  assert.ok(errorPage(setting, 'broken').body.text.includes(tryAgain))
  for (const kind of ['brokenPay', 'strange', 'notFound', 'tooMany'] as const) {
    assert.ok(!errorPage(setting, kind, { home: '/payment/1' }).body.text.includes(tryAgain), kind)
  }
})
