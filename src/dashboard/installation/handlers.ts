import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import { readMerchant } from '../../core/merchants/authenticate.ts'
import { changeMerchant, createMerchant } from '../../core/merchants/create-merchant.ts'
import { changeFeePlan } from '../../core/merchants/operator/change-fee-plan.ts'
import { findMerchants } from '../../core/merchants/operator/find-merchants.ts'
import { resumeMerchant, suspendMerchant } from '../../core/merchants/operator/suspend-merchant.ts'
import { isCurrency } from '../../platform/money/currencies.ts'
import { byPerson } from '../people/people.ts'
import { readEmail, readName } from '../people/read-person.ts'
import { invite } from '../people/team/team.ts'
import type { Actor } from '../../core/audit/audit.ts'
import type { Answer, PersonAsk, Route } from '../ask.ts'
import { forOperator, go, orShowMistakes, show } from '../define-route.ts'
import { pathOf } from './frame.ts'
import { readHealth } from './health.ts'
import { crumb } from '../parts/parts.ts'
import { invitationLinkPage } from '../people/team-pages/page.ts'
import { healthPage } from './health-page.ts'
import { livePage, merchantPage, merchantPath, suspendPage } from './merchant-page.ts'
import { idIn, orMadeBefore } from '../once.ts'
import { merchantsPage, newMerchantPage, readMerchantNumber } from './merchants-page.ts'
import { readFees } from './read-fees.ts'

// For operators: merchants, their limits and the installation's health. An operator sees a merchant's payments only as a
// member of its team.

const fresh = { isFresh: true }

function actorOf({ own, visitor }: PersonAsk): Actor {
  return byPerson(own.person.id, visitor)
}

/** From the database, because the cache may not have the operator's last change on another server. */
async function merchantOf(ask: PersonAsk): Promise<Merchant> {
  const number = ask.params['merchant'] ?? ''
  const merchant = /^\d{8}$/.test(number) ? await readMerchant(ask.core.db, Number(number)) : undefined
  if (!merchant) throw new Refusal('not_found')
  return merchant
}

async function create(ask: PersonAsk): Promise<Answer> {
  const { core, fields, own, people, visitor } = ask
  const name = readName(fields.get('name'), 'name', 'the name of the shop')
  const email = readEmail(fields.get('email'))
  const currencies = readCurrencies(fields.get('currencies'))
  const number = readMerchantNumber(fields)
  const made = (id: number) =>
    ({ ...go(pathOf(ask, `/merchants/${id}`)), notice: 'merchant_created' }) as const
  return orMadeBefore(async () => {
    const merchantId = await createMerchant(core.db, { number, name, email, currencies }, actorOf(ask))
    const team = { merchantId, merchantName: name }
    const url = await invite(people, team, own.person, { email, role: 'owner' }, visitor)
    if (ask.dashboard.hasMailServer || url === undefined) return made(merchantId)
    const back = crumb(pathOf(ask, `/merchants/${merchantId}`), name)
    return show(invitationLinkPage({ email, url, back }))
  }, made(number))
}

function readCurrencies(text = ''): string[] {
  const codes = text.toUpperCase().split(/[\s,;]+/)
  const found = codes.filter((code) => code !== '')
  const odd = found.find((code) => !isCurrency(code))
  if (odd !== undefined) throw brokenRule('currencies', `${odd.slice(0, 20)} is not a currency`)
  return found
}

async function inviteOwner(ask: PersonAsk): Promise<Answer> {
  const merchant = await merchantOf(ask)
  const path = merchantPath(ask, merchant)
  return orShowMistakes(
    async () => {
      const email = readEmail(ask.fields.get('email'))
      const team = { merchantId: merchant.id, merchantName: merchant.name }
      const given = { email, role: 'owner', id: idIn(ask.fields, 'inv') } as const
      const url = await invite(ask.people, team, ask.own.person, given, ask.visitor)
      if (ask.dashboard.hasMailServer || url === undefined) return { ...go(path), notice: 'invited' }
      return show(invitationLinkPage({ email, url, back: crumb(path, merchant.name) }))
    },
    (mistakes) => merchantPage(ask, merchant, ask.fields, mistakes),
  )
}

async function switchOn(ask: PersonAsk): Promise<Answer> {
  const merchant = await merchantOf(ask)
  const findings = await ask.dashboard.checkLive(merchant.id)
  const isForced = ask.fields.get('force') === 'yes'
  const left = findings.filter(({ is, skippable }) => is === 'missing' && !(isForced && skippable === true))
  if (left.length > 0) return show(livePage(ask, merchant, findings), 409)
  await changeMerchant(ask.core.db, merchant.id, { liveEnabled: true }, actorOf(ask))
  return { ...go(merchantPath(ask, merchant)), notice: 'live_on' }
}

async function changeFees(ask: PersonAsk): Promise<Answer> {
  const merchant = await merchantOf(ask)
  return orShowMistakes(
    async () => {
      await changeFeePlan(ask.core.db, merchant.id, readFees(ask.fields, merchant), actorOf(ask))
      return { ...go(merchantPath(ask, merchant)), notice: 'fee_plan_changed' }
    },
    (mistakes) => merchantPage(ask, merchant, ask.fields, mistakes),
  )
}

const one = '/installation/merchants/:merchant'

export const installationRoutes: readonly Route[] = [
  forOperator('GET', '/installation', async (ask) => {
    const { q, state, cursor } = ask.query
    const query = { ...(q && { q }), ...(state && { state }), ...(cursor && { cursor }) }
    const found = await findMerchants(ask.core.db, query)
    return show(merchantsPage(ask, found, ask.core.db.missed))
  }),
  forOperator('GET', '/installation/health', async (ask) => show(healthPage(ask, await readHealth(ask)))),
  forOperator('GET', '/installation/merchants/new', (ask) => show(newMerchantPage(ask)), fresh),
  forOperator(
    'POST',
    '/installation/merchants/new',
    async (ask) =>
      orShowMistakes(
        async () => create(ask),
        (mistakes) => newMerchantPage(ask, Object.fromEntries(ask.fields), mistakes),
      ),
    fresh,
  ),
  forOperator('GET', one, async (ask) => show(merchantPage(ask, await merchantOf(ask)))),
  forOperator('POST', `${one}/fees`, changeFees, fresh),
  forOperator('POST', `${one}/owner`, inviteOwner, fresh),
  forOperator('GET', `${one}/owner`, async (ask) => go(merchantPath(ask, await merchantOf(ask)))),
  // Reloading the form's URL.
  forOperator('GET', `${one}/fees`, async (ask) => go(merchantPath(ask, await merchantOf(ask)))),
  forOperator(
    'GET',
    `${one}/live`,
    async (ask) => {
      const merchant = await merchantOf(ask)
      return show(livePage(ask, merchant, await ask.dashboard.checkLive(merchant.id)))
    },
    fresh,
  ),
  forOperator('POST', `${one}/live`, switchOn, fresh),
  forOperator(
    'POST',
    `${one}/do/live-off`,
    async (ask) => {
      const merchant = await merchantOf(ask)
      await changeMerchant(ask.core.db, merchant.id, { liveEnabled: false }, actorOf(ask))
      return { ...go(merchantPath(ask, merchant)), notice: 'live_off' }
    },
    fresh,
  ),
  forOperator('GET', `${one}/suspend`, async (ask) => show(suspendPage(ask, await merchantOf(ask))), fresh),
  forOperator(
    'POST',
    `${one}/suspend`,
    async (ask) => {
      const merchant = await merchantOf(ask)
      await suspendMerchant(ask.core.db, merchant.id, actorOf(ask))
      return { ...go(merchantPath(ask, merchant)), notice: 'merchant_suspended' }
    },
    fresh,
  ),
  forOperator(
    'POST',
    `${one}/do/resume`,
    async (ask) => {
      const merchant = await merchantOf(ask)
      await resumeMerchant(ask.core.db, merchant.id, actorOf(ask))
      return { ...go(merchantPath(ask, merchant)), notice: 'merchant_resumed' }
    },
    fresh,
  ),
]
