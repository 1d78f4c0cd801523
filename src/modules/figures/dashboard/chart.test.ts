import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawChart, type Bar } from './chart.ts'

const bar: Bar = { label: '2 Nov', says: '2 Nov: £1.00', share: 0.5, before: 0.25 }

function draw(...bars: Bar[]): string {
  return drawChart({
    title: 'Paid on each day',
    summary: 'Most on 2 Nov',
    bars,
    top: '£2.00',
    last: 'Today',
  }).text
}

/** Class, left edge, top, width and height of each bar. */
function rects(text: string): (string | number)[][] {
  const found = text.matchAll(
    /<rect class="([^"]*)" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/g,
  )
  return [...found].map(([, name = '', ...numbers]) => [name.trim(), ...numbers.map(Number)])
}

test('each bar stands to the right of the bar of the period before, and the last is marked', () => {
  assert.deepEqual(rects(draw(bar, bar)), [
    ['hit', 0, 0, 12, 100],
    ['before', 1, 75, 5, 25],
    ['bar', 6, 50, 5, 50],
    ['hit', 12, 0, 12, 100],
    ['before', 13, 75, 5, 25],
    ['bar now', 18, 50, 5, 50],
  ])
  assert.match(draw(bar, bar), /viewBox="0 0 24 100"/)
})

for (const [share, tall] of [
  [0, 0],
  [0.0001, 2],
  [0.02, 2],
  [0.021, 2.1],
  [0.12345, 12.3],
  [1, 100],
] as const)
  test(`a share of ${share} is ${tall} high, so that any amount stays visible`, () => {
    assert.deepEqual(rects(draw({ ...bar, share, before: share })).slice(1), [
      ['before', 1, 100 - tall, 5, tall],
      ['bar now', 6, 100 - tall, 5, tall],
    ])
  })

test('a chart is labelled with its first bar, its end and its full height', () => {
  const text = draw(bar, { ...bar, label: '3 Nov' })
  assert.match(text, /aria-label="Paid on each day. Most on 2 Nov"/)
  assert.match(text, /<span>£2\.00<\/span>|<span>&#163;2\.00<\/span>/)
  assert.match(text, /<span>2 Nov<\/span><span>Today<\/span>/)
  assert.doesNotMatch(draw(), /undefined/)
})
