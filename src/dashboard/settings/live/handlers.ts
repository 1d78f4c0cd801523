import { Refusal } from '../../../platform/errors/refusals.ts'
import { changeMerchant } from '../../../core/merchants/create-merchant.ts'
import { html } from '../../../platform/http/html.ts'
import { listKeys } from '../../../core/merchants/list.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import type { Answer, LiveFinding, MemberAsk, Route } from '../../ask.ts'
import { forMember, go, show } from '../../define-route.ts'
import { actorOf, fresh, merchantNow, pathOf } from '../parts.ts'
import { goingLivePage, stepOf, type Step } from './page.ts'

// Going live. Opening the page uses the networks' last answers; Florin asks them on request and before turning anything on.

async function look(ask: MemberAsk, how: 'ask' | 'remember', status = 200): Promise<Answer> {
  const merchant = await merchantNow(ask)
  const findings = await ask.dashboard.checkLive(merchant.id, how)
  return show(goingLivePage(ask, { merchant, how, steps: await stepsOf(ask, merchant, findings) }), status)
}

async function stepsOf(
  ask: MemberAsk,
  merchant: Merchant,
  findings: readonly LiveFinding[],
): Promise<Step[]> {
  const { brand } = merchant
  const keys = await listKeys(ask.core.db, merchant.id)
  const hasLiveKey = keys.some(
    ({ mode, kind, revoked_at }) => mode === 'live' && kind === 'secret' && revoked_at === null,
  )
  const live = ask.place.home.replace(/test$/, 'live')
  return [
    ...findings.map((finding) => stepOf(ask, finding)),
    {
      what: brand.supportEmail
        ? `Customers can contact you at ${brand.supportEmail}.`
        : 'Customers don’t see how to contact you.',
      isDone: brand.supportEmail !== undefined,
      isOptional: true,
      mend: html`Add a support e-mail in <a href="${pathOf(ask, '/shop')}">Shop</a>`,
    },
    {
      what: hasLiveKey ? 'You have a live secret key.' : 'You don’t have a live secret key yet.',
      isDone: hasLiveKey,
      isOptional: true,
      mend: html`Create one in <a href="${live}/keys">Keys</a> in live mode`,
    },
  ]
}

async function switchOn(ask: MemberAsk): Promise<Answer> {
  // Only operators turn on real money.
  if (!ask.own.person.isOperator) throw new Refusal('not_allowed')
  const merchant = await merchantNow(ask)
  const findings = await ask.dashboard.checkLive(merchant.id, 'ask')
  const isForced = ask.fields.get('force') === 'yes'
  const left = findings.filter(({ is, skippable }) => is === 'missing' && !(isForced && skippable === true))
  if (left.length > 0) {
    const steps = await stepsOf(ask, merchant, findings)
    return show(goingLivePage(ask, { merchant, how: 'ask', steps }), 409)
  }
  await changeMerchant(ask.core.db, merchant.id, { liveEnabled: true }, actorOf(ask))
  return { ...go(pathOf(ask, '/live')), notice: 'live_on' }
}

export const liveRoutes: readonly Route[] = [
  forMember('GET', '/settings/live', 'settings.view', async (ask) => look(ask, 'remember'), {
    nav: { label: 'Going live', order: 77, group: 'Settings' },
  }),
  forMember('POST', '/settings/live/do/check', 'settings.change', async (ask) => look(ask, 'ask')),
  forMember('POST', '/settings/live', 'settings.change', switchOn, fresh),
]
