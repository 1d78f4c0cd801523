import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { accentsOf, contrast, leastContrast } from './accent.ts'

const light = ['#ffffff', '#fffefb', '#f6f4ef']
const dark = ['#191814', '#161512', '#201f1b']

test('any merchant colour is readable on every background, and so is text on it', () => {
  const colours = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colours, (colour) => {
      const accents = accentsOf(colour)
      for (const ground of light) assert.ok(contrast(accents.light.accent, ground) >= leastContrast)
      for (const ground of dark) assert.ok(contrast(accents.dark.accent, ground) >= leastContrast)
      for (const { accent, ink } of [accents.light, accents.dark]) {
        assert.ok(contrast(accent, ink) >= leastContrast, `${ink} on ${accent}`)
      }
    }),
  )
})

test('a readable colour is left unchanged', () => {
  assert.equal(accentsOf('#17603f').light.accent, '#17603f')
  assert.equal(accentsOf('#6fcf9f').dark.accent, '#6fcf9f')
  assert.notEqual(accentsOf('#ffe600').light.accent, '#ffe600')
})

test('an unreadable colour is moved as little as possible towards black or white, keeping its hue', () => {
  assert.deepEqual(accentsOf('#ffe600'), {
    light: { accent: '#7d7100', ink: '#ffffff' },
    dark: { accent: '#ffe600', ink: '#161512' },
  })
  assert.equal(accentsOf('#000000').dark.accent, '#878787')
  assert.equal(accentsOf('#ffffff').light.accent, '#707070')
})

test('contrast is calculated as in WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#ffffff', '#ffffff'), 1)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})
