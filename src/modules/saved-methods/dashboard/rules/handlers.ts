import { changeRules, readRules as rulesNow } from '../../rules.ts'
import type { Answer, MemberAsk, Route } from '../../../../dashboard/ask.ts'
import { forMember, go, orShowMistakes, show } from '../../../../dashboard/define-route.ts'
import { actorOf, fresh, pathOf } from '../../../../dashboard/settings/parts.ts'
import { editRulesPage, rulesPage, shownCurrencies } from './page.ts'
import { readRules } from './read-rules.ts'

// A merchant's brakes on charges of saved methods, per mode.

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })

async function save(ask: MemberAsk): Promise<Answer> {
  const { core, fields } = ask
  const before = await rulesNow(core.db, scopeOf(ask))
  return orShowMistakes(
    async () => {
      const change = readRules(fields, shownCurrencies(ask, before))
      const { isStopped } = await changeRules(core, scopeOf(ask), change, actorOf(ask))
      const notice = isStopped ? 'saved_charges_stopped' : 'saved_charges_allowed'
      return { ...go(pathOf(ask, '/saved-methods')), notice }
    },
    (mistakes) => editRulesPage(ask, before, fields, mistakes),
  )
}

export const savedMethodSettingsRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/settings/saved-methods',
    'settings.view',
    async (ask) => show(rulesPage(ask, await rulesNow(ask.core.db, scopeOf(ask)))),
    { nav: { label: 'Saved methods', order: 76, group: 'Settings' } },
  ),
  forMember(
    'GET',
    '/settings/saved-methods/edit',
    'settings.change',
    async (ask) => show(editRulesPage(ask, await rulesNow(ask.core.db, scopeOf(ask)))),
    fresh,
  ),
  forMember('POST', '/settings/saved-methods/edit', 'settings.change', save, fresh),
]
