import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { readEmail } from '../read-person.ts'
import { readRole, type Role } from '../rights.ts'
import { changeMonthlySummary } from '../team/monthly-readers.ts'
import {
  changeRole,
  invite,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
  type Member,
} from '../team/team.ts'
import type { MemberAsk, Route } from '../../ask.ts'
import { forMember, go, orShowMistakes, show } from '../../define-route.ts'
import { idIn } from '../../once.ts'
import { crumb } from '../../parts/parts.ts'
import { invitationLinkPage, invitePage, leavePage, memberPage, teamPage } from './page.ts'

// A merchant's team. It is the same in both modes.

const fresh = { isFresh: true }
const teamOf = ({ place }: MemberAsk): string => `${place.home}/team`

function roleIn(ask: MemberAsk): Role {
  const role = readRole(ask.fields.get('role'))
  if (!role) throw brokenRule('role', 'Choose a role')
  return role
}

async function memberOf(ask: MemberAsk): Promise<Member> {
  const members = await listMembers(ask.people, ask.place.merchant.id)
  const member = members.find(({ personId }) => personId === ask.params['person'])
  if (!member) throw new Refusal('not_found')
  return member
}

export const teamRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/team',
    'team.view',
    async (ask) => {
      const { id } = ask.place.merchant
      return show(teamPage(ask, await listMembers(ask.people, id), await listInvitations(ask.people, id)))
    },
    { nav: { label: 'Team', order: 80, group: 'Settings' } },
  ),
  forMember('GET', '/team/invite', 'team.change', (ask) => show(invitePage(ask)), fresh),
  forMember(
    'POST',
    '/team/invite',
    'team.change',
    (ask) =>
      orShowMistakes(
        async () => {
          const { merchant } = ask.place
          const id = idIn(ask.fields, 'inv')
          const given = {
            email: readEmail(ask.fields.get('email')),
            role: roleIn(ask),
            id,
            session: ask.own.cookie,
          }
          const team = { merchantId: merchant.id, merchantName: merchant.name }
          const url = await invite(ask.people, team, ask.own.person, given, ask.visitor)
          if (ask.dashboard.hasMailServer) return { ...go(teamOf(ask)), notice: 'invited' }
          return url === undefined
            ? { ...go(teamOf(ask)), notice: 'invited_without_mail' }
            : show(invitationLinkPage({ email: given.email, url, back: crumb(teamOf(ask), 'Team') }))
        },
        (mistakes) =>
          invitePage(
            ask,
            { email: ask.fields.get('email'), role: readRole(ask.fields.get('role')) },
            mistakes,
          ),
      ),
    fresh,
  ),
  forMember(
    'POST',
    '/team/do/withdraw',
    'team.change',
    async (ask) => {
      const id = ask.fields.get('id') ?? ''
      await withdrawInvitation(ask.people, ask.place.merchant.id, id, ask.own.person, ask.visitor)
      return { ...go(teamOf(ask)), notice: 'invitation_withdrawn' }
    },
    fresh,
  ),
  // Each may for themselves; for others only owners, which changeMonthlySummary checks.
  forMember('POST', '/team/do/summary', 'home.view', async (ask) => {
    const personId = ask.fields.get('person') ?? ''
    const isOn = ask.fields.get('to') === 'on'
    await changeMonthlySummary(
      ask.people,
      ask.place.merchant.id,
      { personId, isOn },
      ask.own.person,
      ask.visitor,
    )
    return { ...go(teamOf(ask)), notice: isOn ? 'summary_on' : 'summary_off' }
  }),
  forMember('GET', '/team/leave', 'team.leave', (ask) => show(leavePage(ask))),
  forMember('POST', '/team/leave', 'team.leave', (ask) =>
    orShowMistakes(
      async () => {
        const { person } = ask.own
        await removeMember(ask.people, ask.place.merchant.id, person.id, person, ask.visitor)
        return { ...go(`${ask.dashboard.prefix}/dashboard`), notice: 'left' }
      },
      (mistakes) => leavePage(ask, mistakes),
    ),
  ),
  forMember(
    'GET',
    '/team/:person',
    'team.change',
    async (ask) => show(memberPage(ask, await memberOf(ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/team/:person',
    'team.change',
    async (ask) => {
      const member = await memberOf(ask)
      return orShowMistakes(
        async () => {
          const change = { personId: member.personId, role: roleIn(ask) }
          await changeRole(ask.people, ask.place.merchant.id, change, ask.own.person, ask.visitor)
          return { ...go(teamOf(ask)), notice: 'role_changed' }
        },
        (mistakes) => memberPage(ask, member, mistakes),
      )
    },
    fresh,
  ),
  forMember(
    'POST',
    '/team/:person/do/remove',
    'team.change',
    async (ask) => {
      const member = await memberOf(ask)
      return orShowMistakes(
        async () => {
          await removeMember(ask.people, ask.place.merchant.id, member.personId, ask.own.person, ask.visitor)
          return { ...go(teamOf(ask)), notice: 'member_removed' }
        },
        (mistakes) => memberPage(ask, member, mistakes),
      )
    },
    fresh,
  ),
]
