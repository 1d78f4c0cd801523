import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../../platform/errors/refusals.ts'
import { readRules } from './read-rules.ts'

const read = (typed: Record<string, string>) => readRules(new Map(Object.entries(typed)), ['GBP', 'JPY'])

for (const [typed, isStopped, ceilings] of [
  [{}, undefined, []],
  [{ charges: 'stopped' }, true, []],
  [{ charges: 'allowed' }, false, []],
  [{ charges: 'x' }, undefined, []],
  [{ method_GBP: '12,50', all_GBP: ' ' }, undefined, [['GBP', { methodMinor: 1_250n, allMinor: undefined }]]],
  [{ all_JPY: '900' }, undefined, [['JPY', { methodMinor: undefined, allMinor: 900n }]]],
  [{ method_GBP: '', all_GBP: '' }, undefined, [['GBP', { methodMinor: undefined, allMinor: undefined }]]],
  [
    { other_currency: 'EUR', method_other: '5', all_other: '70' },
    undefined,
    [['EUR', { methodMinor: 500n, allMinor: 7_000n }]],
  ],
  [{ other_currency: '', method_other: '' }, undefined, []],
] as const)
  test(`the limits form ${JSON.stringify(typed)} is read`, () => {
    const change = read(typed)
    assert.equal(change.isStopped, isStopped)
    assert.deepEqual([...(change.ceilings ?? [])], ceilings)
  })

for (const [typed, name] of [
  [{ method_GBP: 'much' }, 'method_GBP'],
  [{ all_JPY: '1.5' }, 'all_JPY'],
  [{ method_GBP: '0' }, 'method_GBP'],
  [{ other_currency: 'XXZ', all_other: '1' }, 'other_currency'],
  [{ method_other: '5' }, 'other_currency'],
  [{ other_currency: 'EUR', all_other: '-1' }, 'all_other'],
] as const)
  test(`the limits form ${JSON.stringify(typed)} is refused at ${name}`, () => {
    assert.throws(
      () => read(typed),
      (error) => error instanceof Refusal && Object.keys(error.errors ?? {}).join() === name,
    )
  })
