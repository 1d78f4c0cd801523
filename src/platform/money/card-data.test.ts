import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardDataRule, cardRuleOfUrl, containsCardData, cvcRule } from './card-data.ts'
import { cardNumberRule } from './card-numbers.ts'

const card = '4242424242424242'

test('a card number next to an expiry date or a security code is card data', () => {
  for (const text of [
    `${card} 12/30`,
    `4242 4242 4242 4242 - 01 / 2030`,
    `${card}|12|30|123`,
    `${card} cvc 123`,
    `CVV2: 999 ${card}`,
    `${card} exp 1230`,
    `order-${card}-valid 12-30`,
  ])
    assert.equal(containsCardData(text), true, text)
})

test('an order id that only looks like a card number is not card data', () => {
  for (const text of [
    card,
    `order-${card}`,
    `${card}-12-30`,
    `2026/11/17 ${card}`,
    `17/11/2026-${card}`,
    `${card}-123`,
    '12/30',
    'cvc 123',
    '4242424242424241 12/30',
  ])
    assert.equal(containsCardData(text), false, text)
})

test('a URL is checked as text and by its parameter names', () => {
  const of = (rest: string): string | undefined => cardRuleOfUrl(`https://shop.example/${rest}`)
  assert.equal(of(`?n=${card}&e=12%2F30`), cardDataRule)
  assert.equal(of(`?card_number=${card}`), cardNumberRule)
  assert.equal(of('?cvc=123'), cvcRule)
  for (const rest of [
    '',
    `orders/${card}`,
    `?order=${card}`,
    `11/26/${card}`,
    `2026/11/17/${card}`,
    '?code=123',
    '%zz123',
  ])
    assert.equal(of(rest), undefined, rest)
})
