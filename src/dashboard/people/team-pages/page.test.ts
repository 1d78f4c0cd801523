import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../../test/support/dashboard/page-ask.ts'
import { hasRight, rightsTable, roles } from '../rights.ts'
import type { Member } from '../team/team.ts'
import { invitePage, memberPage, teamPage } from './page.ts'

const member = (personId: string, changes: object = {}): Member =>
  ({
    personId,
    name: personId,
    email: `${personId}@example.com`,
    role: 'viewer',
    hasSecondFactor: true,
    ...changes,
  }) as Member
const invitation = {
  id: 'inv_1',
  email: 'new@example.com',
  role: 'viewer',
  created_at: now.toISOString(),
} as const

test('an owner changes others, and never themselves', () => {
  const page = teamPage(pageAsk(), [member('psn_ada'), member('bob')], []).body
  assert.match(wordsOf(page), /psn_ada \(you\).* bob bob@example\.com/)
  assert.equal(linksIn(page)['Change'], '/dashboard/12345678/test/team/bob')
  assert.equal(page.text.match(/>Change</g)?.length, 1)
  assert.ok('Invite someone' in linksIn(page))
  const viewed = teamPage(
    pageAsk({ role: 'developer' }),
    [member('psn_ada'), member('bob')],
    [invitation],
  ).body
  assert.ok(!('Change' in linksIn(viewed)) && !('Invite someone' in linksIn(viewed)))
  assert.deepEqual(Object.keys(formsIn(viewed)), ['Send to psn_ada'])
})

test('an owner switches the monthly summary for everyone, others for themselves', () => {
  const members = [member('psn_ada', { getsSummary: true }), member('bob')]
  assert.deepEqual(Object.keys(formsIn(teamPage(pageAsk(), members, []).body)), [
    'Stop for psn_ada',
    'Send to bob',
  ])
  assert.deepEqual(Object.keys(formsIn(teamPage(pageAsk({ role: 'viewer' }), members, []).body)), [
    'Stop for psn_ada',
  ])
})

test('members without app codes are marked', () => {
  assert.doesNotMatch(wordsOf(teamPage(pageAsk(), [member('bob')], []).body), /no app codes/)
  assert.match(
    wordsOf(teamPage(pageAsk(), [member('bob', { hasSecondFactor: false })], []).body),
    /no app codes/,
  )
})

test('open invitations can be withdrawn by an owner', () => {
  const page = teamPage(pageAsk(), [], [invitation]).body
  assert.match(wordsOf(page), /Invited new@example\.com Invited just now viewer Withdraw/)
  assert.ok('Withdraw' in formsIn(page))
  assert.doesNotMatch(wordsOf(teamPage(pageAsk(), [], []).body), /Invited/)
})

test('an invitation offers the least role, unless another was chosen', () => {
  const chosen = (typed?: object): string | undefined =>
    /value="(\w+)" checked/.exec(invitePage(pageAsk(), typed).body.text)?.[1]
  assert.equal(chosen(), 'viewer')
  assert.equal(chosen({ role: 'owner' }), 'owner')
  assert.equal(
    /value="(\w+)" checked/.exec(memberPage(pageAsk(), member('bob', { role: 'support' })).body.text)?.[1],
    'support',
  )
})

test('without a mail server the page says that the link is sent by hand', () => {
  const page = (hasMailServer: boolean): string =>
    wordsOf(invitePage(pageAsk({ dashboard: { hasMailServer } })).body)
  assert.match(page(true), /We’ll e-mail a link/)
  assert.match(page(false), /you’ll get a link to send/)
})

test('the table of rights says what each role can do', () => {
  const { rows } = tableIn(invitePage(pageAsk()).body)
  assert.deepEqual(
    rows,
    rightsTable.map(([what, right]) => [
      what,
      ...roles.map((role) => (hasRight(role, right) ? '✓ yes' : '')),
    ]),
  )
})
