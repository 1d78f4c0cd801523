import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSecrets } from '../../../../test/support/secrets.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { makeOutbox } from '../outbox.ts'
import type { NewDelivery } from '../store.ts'
import type { PersonEmail } from '../../../platform/outbound/person-email.ts'
import { makeSendEmail, openLink, type PersonMail } from './person-emails.ts'

const tx = {} as Transaction
const email: PersonEmail = {
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

async function send(sent: PersonEmail, hasMailServer: boolean): Promise<[NewDelivery, PersonMail]> {
  const written: NewDelivery[] = []
  const outbox = {
    ...makeOutbox(),
    write: async (given: Transaction, deliveries: readonly NewDelivery[]) => {
      assert.equal(given, tx)
      written.push(...deliveries)
    },
  }
  await makeSendEmail({ outbox, secrets: testSecrets, hasMailServer })(tx, sent)
  const [one = assert.fail('nothing is sent'), ...more] = written
  assert.deepEqual(more, [])
  return [one, JSON.parse(one.body) as PersonMail]
}

test('a person’s e-mail belongs to the installation, and is kept to be read without a mail server', async () => {
  for (const [hasMailServer, state] of [
    [true, 'waiting'],
    [false, 'kept'],
  ] as const) {
    const [{ id, body, ...delivery }, mail] = await send(email, hasMailServer)
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
    const { to, event, ...facts } = email
    assert.deepEqual({ ...mail, to, event }, { ...facts, to, event, template: 'person' })
  }
})

test('a sign-in link is encrypted for its own e-mail', async () => {
  const [{ id, body }, mail] = await send({ ...email, link }, true)
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
