import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import type { DeclineReason } from '../../payments/checkout-view.ts'
import type { PageModel } from '../page-model.ts'
import { payPage } from './pay.ts'

const typed = { expiry: '12/29', name: 'Ada' }
const mistakes = { number: 'numberWrong', cvc: 'cvcMissing' } as const
const wait = { until: new Date('2026-11-15T14:06:30Z') }
const hosted = { accountId: 'acc_1', connector: 'x', method: 'card', pageUrl: undefined } as const
const offer = { accountId: 'acc_1', connector: 'x', label: 'X', method: 'card', sandbox: false } as const

function modelOf(changes: ModelChanges = {}): PageModel {
  return makePageModel({ state: 'pending', ...changes })
}

/** As it is seen before a script runs. */
function bodyOf(changes: ModelChanges = {}): string {
  return payPage(modelOf(changes)).body.text.replace(/<template [^]*?<\/template>/g, '')
}

/** Which of the notices above the form are seen. */
function noticesOf(changes: ModelChanges): string[] {
  const all = bodyOf(changes).matchAll(/<div class="problem" id="(\w+)"[^>]*>/g)
  return Array.from(all, ([tag, id = '']) => (tag.includes('hidden') ? '' : id)).filter((id) => id !== '')
}

const declined = { state: 'declined', declineReason: 'wrong_cvc' } as const

test('one notice appears above the form: this try’s problem, else the last one’s result', () => {
  const cases: readonly [ModelChanges, string | undefined][] = [
    [{}, undefined],
    [{ attempt: declined }, 'declined'],
    [{ attempt: { state: 'abandoned' } }, 'declined'],
    [{ attempt: { state: 'surplus' } }, undefined],
    [{ page: { mistakes } }, 'problem'],
    [{ page: { mistakes, typed, wait } }, 'problem'],
    [{ attempt: declined, page: { mistakes, typed } }, 'problem'],
    [{ page: { wait } }, 'wait'],
    [{ attempt: declined, page: { wait } }, 'declined'],
    [{ attempt: declined, page: { wait, typed } }, 'wait'],
    [{ attempt: declined, page: { typed } }, undefined],
    [{ page: { interrupted: true } }, 'interrupted'],
    [{ page: { interrupted: true, mistakes } }, 'problem'],
    [{ page: { interrupted: true, wait } }, 'wait'],
    [{ page: { interrupted: true }, attempt: declined }, 'declined'],
    [{ page: { interrupted: true }, attempt: { state: 'surplus' } }, undefined],
  ]
  for (const [changes, notice] of cases)
    assert.deepEqual(noticesOf(changes), notice === undefined ? [] : [notice])
})

test('the page title reports a problem whenever a notice does', () => {
  const titleOf = (changes: ModelChanges): string => payPage(modelOf(changes)).title
  assert.equal(titleOf({}), 'Pay Corner shop')
  for (const changes of [{ page: { mistakes } }, { page: { wait } }, { attempt: declined }])
    assert.equal(titleOf(changes), 'Error: Pay Corner shop')
})

test('every mistake is listed once above the form, with a link to its field', () => {
  const list = /<ul>([^]*?)<\/ul>/.exec(bodyOf({ page: { mistakes, typed } }))?.[1] ?? ''
  assert.deepEqual(
    Array.from(list.matchAll(/href="#(\w+)"/g), ([, field]) => field),
    ['number', 'cvc'],
  )
  assert.deepEqual(linesOf(list), [
    'Check the card number: a digit is wrong or missing',
    'Enter the security code',
  ])
})

function declineLines(changes: ModelChanges): string[] {
  return linesOf(/<div class="problem" id="declined"[^]*?<\/div>/.exec(bodyOf(changes))?.[0] ?? '')
}

test('the last try’s result speaks of a card on our page, and of no card on a network’s page', () => {
  const words = (
    state: 'declined' | 'abandoned' | 'not_sent',
    declineReason?: DeclineReason,
    onPage = false,
  ): string[] => declineLines({ attempt: { state, declineReason, ...(onPage && { hosted }) } })
  const { words: en } = modelOf().language
  const none = en.noMoneyTaken
  assert.deepEqual(words('declined'), [en.declined, none, en.declinedNext])
  assert.deepEqual(words('declined', 'wrong_cvc'), [en.wrongCvc, none, en.wrongCvcNext])
  assert.deepEqual(words('abandoned'), [en.challengeAbandoned, none, en.challengeAbandonedNext])
  assert.deepEqual(words('abandoned', 'processing_error'), [en.processingError, none, en.processingErrorNext])
  assert.deepEqual(words('not_sent'), [en.notSent, none, en.notSentNext])
  assert.deepEqual(words('not_sent', 'network_silent', true), [en.notSent, none, en.hostedNext])
  assert.deepEqual(words('declined', undefined, true), [en.hostedDeclined, none, en.hostedNext])
  assert.deepEqual(words('declined', 'expired_card', true), [en.expiredCard, none, en.hostedNext])
  assert.deepEqual(words('declined', 'processing_error', true), [en.processingError, none, en.hostedNext])
  assert.deepEqual(words('abandoned', undefined, true), [en.hostedAbandoned, none, en.hostedNext])
  assert.deepEqual(words('abandoned', 'processing_error', true), [en.pageNotOpened, none, en.hostedNext])
})

test('after a wrong security code its field is marked with the reason, unless another problem comes first', () => {
  const markOf = (changes: ModelChanges): string | undefined =>
    /id="cvc-error"\s*>([^<]+)</.exec(bodyOf(changes))?.[1]
  assert.equal(markOf({ attempt: declined }), 'The security code was not right.')
  assert.match(bodyOf({ attempt: declined }), /id="cvc"[^>]*aria-invalid="true"/)
  assert.equal(markOf({ attempt: { ...declined, declineReason: 'declined' } }), undefined)
  assert.equal(markOf({ attempt: declined, page: { typed } }), undefined)
  assert.equal(markOf({ attempt: declined, page: { mistakes, typed } }), 'Enter the security code')
  assert.equal(markOf({}), undefined)
})

test('a customer who left the network’s page is told calmly, not as an error, that nothing was taken', () => {
  const page = { hasLeft: true, offered: { offers: [offer], amountOutOfRange: false } }
  const changes: ModelChanges = { mode: 'live', attempt: { state: 'action_required', hosted }, page }
  assert.deepEqual(noticesOf(changes), [])
  const notice = linesOf(/<div class="calm-notice"[^]*?<\/div>/.exec(bodyOf(changes))?.[0] ?? '')
  assert.deepEqual(notice, [
    'You left the payment page before paying.',
    'No money has been taken.',
    'Try again, or choose another way to pay.',
  ])
  assert.equal(payPage(modelOf(changes)).title, 'Pay Corner shop')
})

test('a wait after a decline replaces the advice on what to try next', () => {
  const [, none, next] = declineLines({ attempt: declined, page: { wait } })
  assert.equal(none, 'No money has been taken.')
  assert.match(next ?? '', /in 30 seconds/)
})

test('a wait gives its reason and its length: too many declines or an attack on the shop', () => {
  const linesOfWait = (isPause: boolean): string[] =>
    linesOf(
      /<div class="problem" id="wait"[^]*?<\/div>/.exec(
        bodyOf({ page: { wait: { ...wait, isPause } } }),
      )?.[0] ?? '',
    )
  const none = 'No money has been taken.'
  assert.deepEqual(linesOfWait(false), [
    'Please wait before you try again',
    none,
    'Too many cards were declined. You can try again in 30 seconds.',
  ])
  const [title, first, body] = linesOfWait(true)
  assert.deepEqual([title, first], ['Please try again in a moment', none])
  assert.match(
    body ?? '',
    /^Many cards are being declined at Corner shop .* press the button in 30 seconds\.$/,
  )
})

test('the last three tries are counted down', () => {
  const saysTries = (attemptsLeft: number): boolean =>
    declineLines({ attempt: declined, attemptsLeft }).some((line) => line.includes(String(attemptsLeft)))
  assert.deepEqual([4, 3, 2, 1].map(saysTries), [false, true, true, true])
})

test('cards are entered here only in test mode; in live mode the customer chooses a network', () => {
  const offered = { offers: [offer], amountOutOfRange: false }
  const parts = (changes: ModelChanges): string[] =>
    ['data-pay', 'class="test-cards"', 'id="other-ways"', 'class="ways"', '>Choose how to pay<'].filter(
      (part) => bodyOf(changes).includes(part),
    )
  assert.ok(bodyOf().includes('<main class="columns"'))
  assert.deepEqual(parts({}), ['data-pay', 'class="test-cards"'])
  assert.deepEqual(parts({ page: { offered } }), [
    'data-pay',
    'class="test-cards"',
    'id="other-ways"',
    'class="ways"',
  ])
  assert.deepEqual(parts({ mode: 'live', page: { offered } }), ['class="ways"'])
  const two = { offers: [offer, { ...offer, method: 'bank' as const }], amountOutOfRange: false }
  const chosen = parts({ mode: 'live', page: { offered: two } })
  assert.deepEqual(chosen, ['class="ways"', '>Choose how to pay<'])
  const bankFirst = bodyOf({ page: { offered: two }, brand: { methodOrder: ['bank', 'card'] } })
  assert.ok(bankFirst.indexOf('class="ways"') < bankFirst.indexOf('data-pay'), 'a shop may want banks first')
})

test('the form carries a proof where required, and is disabled while nobody can pay', () => {
  const formOf = (page: Partial<PageModel>): string => /<form[^]*?<\/form>/.exec(bodyOf({ page }))?.[0] ?? ''
  assert.doesNotMatch(formOf({}), /data-wait|name="(proof|nonce)"/)
  assert.match(formOf({ wait }), /data-wait="30"/)
  assert.doesNotMatch(formOf({ wait: { ...wait, isPause: true } }), /data-wait/)
  assert.match(
    formOf({ proof: { token: 'p1', bits: 8 } }),
    /name="proof" value="p1" \/><input type="hidden" name="nonce" value="" \/>/,
  )
})

test('when the card must be typed again, the page says so and keeps the rest', () => {
  const retype = 'class="retype"'
  assert.ok(!bodyOf().includes(retype))
  const again = bodyOf({ page: { typed } })
  assert.ok(again.includes(retype) && again.includes('value="12/29"') && again.includes('value="Ada"'))
})
