import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Paying } from '../attempts/paying.ts'
import { canCharge, forgetAtNetwork, type ChargedMethod } from './charge.ts'

const method: ChargedMethod = {
  id: 'svm_1',
  connector: 'network',
  accountId: 'acc_1',
  kind: 'card',
  brand: null,
  last4: null,
}
const network = { kind: 'hosted', name: 'network', credentials: ['key'], chargeSaved: async () => {} }
const other = { ...network, name: 'other' }

/** The account acc_1 of merchant 7 is connected to `connectedTo`. */
function payingWith(connectors: readonly object[], connectedTo = 'network'): Paying {
  const byId = async (merchantId: number, id: string) =>
    merchantId === 7 && id === 'acc_1' ? { id, connector: connectedTo } : undefined
  return { connectors, accounts: { byId } } as unknown as Paying
}

const cases: readonly (readonly [claim: string, paying: Paying, changes: object, expected: boolean])[] = [
  ['its network and account are there', payingWith([other, network]), {}, true],
  ['its network is gone', payingWith([other]), {}, false],
  ['its network charges no saved methods', payingWith([{ ...network, chargeSaved: undefined }]), {}, false],
  ['its account is gone', payingWith([network]), { accountId: 'acc_2' }, false],
  ['it has no account and its network needs one', payingWith([network]), { accountId: null }, false],
  ['its account belongs to another network', payingWith([network], 'other'), {}, false],
  ['its network needs no account', payingWith([{ ...network, credentials: [] }]), { accountId: 'x' }, true],
  ['it was saved on our own form', payingWith([{ ...network, kind: 'form' }]), { accountId: null }, true],
]

for (const [claim, paying, changes, expected] of cases)
  test(`a saved method ${expected ? 'can' : "can't"} be charged when ${claim}`, async () => {
    assert.equal(await canCharge(paying, 7, { ...method, ...changes }), expected)
  })

test("an account of another merchant can't charge a saved method", async () => {
  assert.equal(await canCharge(payingWith([network]), 8, method), false)
})

test('a method is forgotten at its own network, with the account it was saved with', async () => {
  const asked: unknown[] = []
  const forget = async (...question: unknown[]): Promise<void> => void asked.push(question)
  const { signal } = new AbortController()
  const forgetAt = async (connector: object, of: ChargedMethod = method): Promise<void> =>
    forgetAtNetwork(payingWith([other, connector]), 7, of, 'tok', signal)
  await forgetAt({ ...network, forget })
  await forgetAt({ ...network, kind: 'form', forget })
  assert.deepEqual(asked, [
    [{ id: 'acc_1', connector: 'network' }, 'tok', signal],
    [{ merchantId: 7, token: 'tok' }, signal],
  ])
  await forgetAt(network)
  await forgetAt({ ...network, kind: 'form' })
  await assert.rejects(forgetAt(network, { ...method, accountId: 'acc_2' }), /There is no account acc_2/)
  await assert.rejects(forgetAt(network, { ...method, connector: 'gone' }), /There is no connector gone/)
})
