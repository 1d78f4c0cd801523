import { createLink } from '../create-link.ts'
import { changeLink, pauseLink, resumeLink } from '../change-link.ts'
import { getLink, readLinkPayments, readLinks, type LinkRow } from '../find-links.ts'
import type { Linking } from '../linking.ts'
import { readLink, readLinkChange } from '../read-link.ts'
import { settleLink } from '../settle.ts'
import type { Actor } from '../../../core/audit/audit.ts'
import { currencyChoices, type Payee } from '../../../core/merchants/taken-currencies.ts'
import { networkTakes } from '../../../core/payments/attempts/hosted/network-takes.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import type { MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, orShowMistakes, show } from '../../../dashboard/define-route.ts'
import { idIn, orMadeBefore } from '../../../dashboard/once.ts'
import { editLinkPage, newLinkPage } from './forms.ts'
import { filterOf, linksPage } from './list-page.ts'
import { linkAt, linkPage, printPage } from './pages.ts'

const by = ({ own, visitor }: MemberAsk): Actor => byPerson(own.person.id, visitor)

async function linkOf(linking: Linking, { place, params }: MemberAsk): Promise<LinkRow> {
  return getLink(linking, place, params['link'] ?? '')
}

/** With the currencies its networks take. */
async function payeeOf({ dashboard, place }: MemberAsk): Promise<Payee> {
  return { ...place, networkTakes: await networkTakes(dashboard.paying, place.merchant.id, place.mode) }
}

/** With its payments settled up to now. */
async function freshLinkOf(linking: Linking, ask: MemberAsk): Promise<LinkRow> {
  const link = await linkOf(linking, ask)
  const looked = await settleLink(linking, link.merchant_id, link.id)
  return looked === 0 ? link : linkOf(linking, ask)
}

export const linkRoutes = (linking: Linking): readonly Route[] => [
  forMember(
    'GET',
    '/links',
    'links.view',
    async (ask) => {
      const filter = filterOf(ask)
      const page = { ...filter, cursor: ask.query['cursor'] }
      return show(linksPage(ask, filter, await readLinks(linking, ask.place, page)))
    },
    { nav: { label: 'Links', order: 30 } },
  ),
  forMember('GET', '/links/new', 'links.change', async (ask) =>
    show(newLinkPage(ask, currencyChoices(await payeeOf(ask)))),
  ),
  forMember('POST', '/links/new', 'links.change', (ask) =>
    orShowMistakes(
      async () => {
        const request = readLink(ask.fields, await payeeOf(ask), ask.core.now())
        const id = idIn(ask.fields, 'lnk')
        const made = { ...go(linkAt(ask, id)), notice: 'link_created' } as const
        return orMadeBefore(async () => {
          await createLink(linking, ask.place, request, by(ask), id)
          return made
        }, made)
      },
      async (mistakes) => newLinkPage(ask, currencyChoices(await payeeOf(ask)), ask.fields, mistakes),
    ),
  ),
  forMember('GET', '/links/:link', 'links.view', async (ask) => {
    const link = await freshLinkOf(linking, ask)
    return show(linkPage(ask, link, await readLinkPayments(linking, link, ask.query)))
  }),
  forMember('GET', '/links/:link/print', 'links.view', async (ask) => {
    const link = await linkOf(linking, ask)
    const { payments } = await readLinkPayments(linking, link, {})
    return show(printPage(ask, link, payments))
  }),
  forMember('GET', '/links/:link/edit', 'links.change', async (ask) =>
    show(editLinkPage(ask, await linkOf(linking, ask))),
  ),
  forMember('POST', '/links/:link/edit', 'links.change', async (ask) => {
    const link = await linkOf(linking, ask)
    return orShowMistakes(
      async () => {
        const change = readLinkChange(ask.fields, ask.place, ask.core.now(), link.kind === 'single')
        await changeLink(linking, ask.place, link.id, change, by(ask))
        return { ...go(linkAt(ask, link.id)), notice: 'link_changed' }
      },
      (mistakes) => editLinkPage(ask, link, ask.fields, mistakes),
    )
  }),
  forMember('POST', '/links/:link/do/pause', 'links.change', async (ask) => {
    const { id } = await linkOf(linking, ask)
    await pauseLink(linking, ask.place, id, by(ask))
    return { ...go(linkAt(ask, id)), notice: 'link_paused' }
  }),
  forMember('POST', '/links/:link/do/resume', 'links.change', async (ask) => {
    const { id } = await linkOf(linking, ask)
    await resumeLink(linking, ask.place, id, by(ask))
    return { ...go(linkAt(ask, id)), notice: 'link_resumed' }
  }),
]
