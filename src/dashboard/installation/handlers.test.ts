import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pageAsk, wordsOf } from '../../../test/support/dashboard/page-ask.ts'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../test/support/people.ts'
import { newPerson } from '../../../test/support/visitor.ts'
import { readMerchant } from '../../core/merchants/authenticate.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import type { Answer, LiveFinding } from '../ask.ts'
import { installationRoutes } from './handlers.ts'

let room: PeopleRoom
let personId: string
before(async () => {
  room = await openPeople()
  personId = (await newPerson(room, { isOperator: true })).id
})
after(() => room.close())

const one = '/installation/merchants/:merchant'

async function post(
  path: string,
  merchantId: number,
  fields = {},
  findings: readonly LiveFinding[] = [],
): Promise<Answer> {
  const route = installationRoutes.find((each) => each.method === 'POST' && each.path === `${one}${path}`)
  assert.ok(route?.access === 'operator')
  const ask = pageAsk({
    core: { db: room.db, now: () => new Date() } as never,
    dashboard: { checkLive: async () => findings },
    person: { id: personId, isOperator: true },
    params: { merchant: String(merchantId) },
    fields: new Map(Object.entries(fields)),
    visitor: visitorFrom('192.0.2.1'),
  })
  return route.run(ask)
}

const isLive = async (id: number): Promise<boolean | undefined> =>
  (await readMerchant(room.db, id))?.liveEnabled
const missing: LiveFinding = { about: 'mail', is: 'missing', what: 'Mail', remedy: 'set SMTP_URL' }
const optional: LiveFinding = { ...missing, skippable: true }
const ready: LiveFinding = { about: 'network', is: 'ok', what: 'A network' }

for (const [what, findings, fields, isOn] of [
  ['nothing is missing', [ready], {}, true],
  ['something is missing', [ready, missing], {}, false],
  ['something is missing, although forced', [missing], { force: 'yes' }, false],
  ['an optional step is missing', [optional], {}, false],
  ['an optional step is missing and skipped', [optional], { force: 'yes' }, true],
  ['an optional step is missing and not quite skipped', [optional], { force: 'no' }, false],
] as const)
  test(`live payments are turned ${isOn ? 'on' : 'on later'} when ${what}`, async () => {
    const id = await createMerchant(room.db, { name: 'Shop' })
    const answer = await post('/live', id, fields, findings)
    assert.equal(await isLive(id), isOn)
    if (answer.kind === 'page') assert.equal(answer.status, 409)
    assert.equal(answer.kind === 'go' && answer.notice === 'live_on', isOn)
  })

test('live payments are turned off at once', async () => {
  const id = await createMerchant(room.db, { name: 'Shop' })
  await post('/live', id)
  const answer = await post('/do/live-off', id)
  assert.equal(await isLive(id), false)
  assert.equal(answer.kind === 'go' && answer.notice, 'live_off')
})

test('a merchant is suspended and resumed', async () => {
  const id = await createMerchant(room.db, { name: 'Shop' })
  await post('/suspend', id)
  assert.equal((await readMerchant(room.db, id))?.isSuspended, true)
  await post('/do/resume', id)
  assert.equal((await readMerchant(room.db, id))?.isSuspended, false)
})

test('a fee that is no number is a mistake in the form', async () => {
  const id = await createMerchant(room.db, { name: 'Shop' })
  const answer = await post('/fees', id, { share: 'x' })
  assert.ok(answer.kind === 'page' && answer.status === 400)
  assert.match(wordsOf(answer.content.body), /Enter/)
})
