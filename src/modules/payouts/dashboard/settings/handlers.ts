import { changeBookkeeping, networksToBook, readBookkeeping } from '../../bookkeeping/settings.ts'
import type { Answer, MemberAsk, Route } from '../../../../dashboard/ask.ts'
import { forMember, go, orShowMistakes, show } from '../../../../dashboard/define-route.ts'
import { actorOf, fresh, pathOf } from '../../../../dashboard/settings/parts.ts'
import { bookkeepingSettingsPage, editBookkeepingPage, type BookkeepingModel } from './page.ts'

// The account numbers of exports.

async function readModel({ core, place }: MemberAsk): Promise<BookkeepingModel> {
  const settings = await readBookkeeping(core.db, place.merchant.id)
  return { settings, networks: await networksToBook(core.db, place.merchant.id) }
}

async function save(ask: MemberAsk): Promise<Answer> {
  const { core, fields, place } = ask
  const model = await readModel(ask)
  return orShowMistakes(
    async () => {
      await changeBookkeeping(
        core.db,
        place.merchant.id,
        Object.fromEntries(fields),
        model.networks,
        actorOf(ask),
      )
      return { ...go(pathOf(ask, '/bookkeeping')), notice: 'bookkeeping_changed' }
    },
    (mistakes) => editBookkeepingPage(ask, model, fields, mistakes),
  )
}

export const bookkeepingSettingsRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/settings/bookkeeping',
    'settings.view',
    async (ask) => show(bookkeepingSettingsPage(ask, await readModel(ask))),
    { nav: { label: 'Bookkeeping settings', order: 75, group: 'Settings' } },
  ),
  forMember(
    'GET',
    '/settings/bookkeeping/edit',
    'settings.change',
    async (ask) => show(editBookkeepingPage(ask, await readModel(ask))),
    fresh,
  ),
  forMember('POST', '/settings/bookkeeping/edit', 'settings.change', save, fresh),
]
