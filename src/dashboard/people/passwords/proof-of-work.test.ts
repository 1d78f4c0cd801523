import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minutes } from '../../../../test/support/clock.ts'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { isSolved, makeProofs, type Proof } from './proof-of-work.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

async function solve(task: string, isWanted = true): Promise<Proof> {
  for (let n = 0; ; n += 1)
    if ((await isSolved(task, String(n))) === isWanted) return { task, nonce: String(n) }
}

const give = async (): Promise<string> => (await room.people.proofs.give('192.0.2.1')).task
const isGood = async (proof: Proof, address = '192.0.2.200') => room.people.proofs.isGood(address, proof)

test('a proof counts once, on any server, for the network that asked', async () => {
  const proof = await solve(await give())
  assert.equal(await isGood(proof, '192.0.3.1'), false)
  assert.equal(await isGood(proof), true)
  assert.equal(await isGood(proof), false)
  const other = makeProofs(room.people, testSecrets)
  assert.equal(await other.isGood('192.0.2.1', await solve(await give())), true)
})

test('a proof is good for five minutes', async () => {
  const [early, late] = [await solve(await give()), await solve(await give())]
  room.clock.jump(5 * minutes)
  assert.equal(await isGood(early), true)
  room.clock.jump(1)
  assert.equal(await isGood(late), false)
})

test('a wrong number, a changed task or nonsense is no proof', async () => {
  const task = await give()
  assert.equal(await isGood(await solve(task, false)), false)
  const changed = `${task.startsWith('0') ? '1' : '0'}${task.slice(1)}`
  assert.equal(await isGood(await solve(changed)), false)
  for (const nonce of ['', '-1', '1e3', '1'.repeat(10)]) assert.equal(await isGood({ task, nonce }), false)
  for (const odd of ['', '.', 'x'.repeat(10_000)])
    assert.equal(await isGood({ task: odd, nonce: '1' }), false)
})
