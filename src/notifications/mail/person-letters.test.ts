import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { Transaction } from '../../database/database.ts'
import { makeOutbox } from '../outbox.ts'
import type { NewDelivery } from '../store.ts'
import type { PersonLetter } from '../../outbound/person-letter.ts'
import { makeSendLetter, openLink, type PersonMail } from './person-letters.ts'

const tx = {} as Transaction
const letter: PersonLetter = {
  to: 'ada@example.com',
  event: 'person.invited',
  subject: 'You are invited',
  heading: 'Come in',
  isGood: true,
  name: 'Ada',
  paragraphs: ['Hello'],
  rows: [['Who', 'Bob']],
}
const link = { label: 'Come in', url: 'https://pay.example.com/dashboard/in?token=secret' }

async function send(sent: PersonLetter, hasMailServer: boolean): Promise<[NewDelivery, PersonMail]> {
  const written: NewDelivery[] = []
  const outbox = {
    ...makeOutbox(),
    write: async (given: Transaction, deliveries: readonly NewDelivery[]) => {
      assert.equal(given, tx)
      written.push(...deliveries)
    },
  }
  await makeSendLetter({ outbox, secrets: testSecrets, hasMailServer })(tx, sent)
  const [one = assert.fail('nothing is sent'), ...more] = written
  assert.deepEqual(more, [])
  return [one, JSON.parse(one.body) as PersonMail]
}

test('a letter to a person is the installation’s, and without a mail server it is kept to be read', async () => {
  for (const [hasMailServer, state] of [
    [true, 'waiting'],
    [false, 'kept'],
  ] as const) {
    const [{ id, body, ...delivery }, mail] = await send(letter, hasMailServer)
    assert.match(id, /^msg_/)
    assert.ok(body.length > 0)
    assert.deepEqual(delivery, {
      merchant_id: 0,
      kind: 'mail',
      mode: 'live',
      event: 'person.invited',
      number: null,
      target: 'ada@example.com',
      origin: 'mail',
      state,
    })
    const { to, event, ...facts } = letter
    assert.deepEqual({ ...mail, to, event }, { ...facts, to, event, template: 'person' })
  }
})

test('a link that lets somebody in is sealed for its letter alone', async () => {
  const [{ id, body }, mail] = await send({ ...letter, link }, true)
  assert.ok(!body.includes('secret'))
  assert.equal(mail.link?.label, 'Come in')
  const sealed = mail.link?.sealed ?? ''
  assert.equal(openLink(testSecrets, id, sealed), link.url)
  const over = '(This link has expired. Request a new one.)'
  assert.equal(openLink(testSecrets, 'msg_other', sealed), over)
  assert.equal(openLink(testSecrets, id, 'nonsense'), over)
  const broken = { ...testSecrets, open: () => assert.fail('out of memory') }
  assert.throws(() => openLink(broken, id, sealed), /out of memory/)
})
