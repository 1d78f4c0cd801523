import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Paying } from '../attempts/paying.ts'
import { canSave } from './can-save.ts'

const ourForm = { kind: 'form', mode: 'test', name: 'form', chargeSaved: async () => {} }
const savesEuros = (currency: string): string[] => (currency === 'EUR' ? ['card'] : [])
const hosted = { kind: 'hosted', mode: 'live', name: 'hosted', credentials: ['key'], saves: savesEuros }

async function saves(
  connectors: readonly object[],
  { mode = 'live', currency = 'EUR', accounts = ['hosted'] }: Asked,
): Promise<boolean> {
  const stored = accounts.map((connector) => ({ id: `acc_${connector}`, connector }))
  const paying = { connectors, accounts: { of: async (id: number) => (id === 7 ? stored : []) } }
  return canSave(paying as unknown as Paying, 7, mode, currency)
}

type Asked = {
  readonly mode?: 'test' | 'live'
  readonly currency?: string
  readonly accounts?: readonly string[]
}

const cases: readonly (readonly [
  claim: string,
  connectors: readonly object[],
  asked: Asked,
  expected: boolean,
])[] = [
  ['our own form that charges saved methods', [ourForm], { mode: 'test' }, true],
  ['our own form of another mode', [ourForm], { mode: 'live' }, false],
  ['our own form that charges none', [{ ...ourForm, chargeSaved: undefined }], { mode: 'test' }, false],
  ['a connected network that saves the currency', [hosted], {}, true],
  ['a connected network and another currency', [hosted], { currency: 'GBP' }, false],
  ['a network of another mode', [hosted], { mode: 'test' }, false],
  ['a network without an account', [hosted], { accounts: [] }, false],
  ['a network that never saves', [{ ...hosted, saves: undefined }], {}, false],
  ['a network that needs no account', [{ ...hosted, credentials: [] }], { accounts: [] }, true],
  [
    'a second network that saves, beside one that does not',
    [{ ...hosted, name: 'other', saves: undefined }, hosted],
    { accounts: ['other', 'hosted'] },
    true,
  ],
  ['no network at all', [], {}, false],
]

for (const [claim, connectors, asked, expected] of cases)
  test(`a method ${expected ? 'can' : "can't"} be saved with ${claim}`, async () => {
    assert.equal(await saves(connectors, asked), expected)
  })
