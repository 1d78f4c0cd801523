import {
  changeCredentials,
  connectAccount,
  disconnectAccount,
  livingAccount,
  setUpCallbacks,
  testAccount,
} from '../../../core/networks/connect/connect-account.ts'
import { describeAnswer } from '../../../core/networks/connect/describe-answer.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { visible } from '../../../platform/input/visible.ts'
import type { Answer, MemberAsk, Route } from '../../ask.ts'
import { forMember, go, orShowMistakes, show } from '../../define-route.ts'
import { actorOf, fresh, pathOf } from '../parts.ts'
import { connectingOf, networkOf, networkStates, ownAccount, readCredentials, stateOf } from './model.ts'
import {
  credentialsPage,
  disconnectPage,
  liveHome,
  networkPage,
  networksPage,
  testNetworksPage,
} from './page.ts'

// Network accounts, live mode only: test mode never leaves the machine. Using or changing credentials asks for the password
// or a passkey again. Calls to networks happen outside transactions.

type Run = (ask: MemberAsk) => Promise<Answer>

/** In test mode, redirects to the live page and does nothing. */
const inLive =
  (run: Run): Run =>
  async (ask) =>
    ask.place.mode === 'live' ? run(ask) : go(`${liveHome(ask)}/settings/networks`)

async function connect(ask: MemberAsk): Promise<Answer> {
  const network = networkOf(ask)
  const owner = ask.place.merchant.id
  const path = pathOf(ask, `/networks/${network.name}`)
  return orShowMistakes(
    async () => {
      const credentials = readCredentials(ask, network)
      if (await livingAccount(ask.core.db, owner, network.name)) return go(path)
      const result = await connectAccount(connectingOf(ask), network, { owner, credentials }, actorOf(ask))
      if (result.kind === 'fails')
        throw brokenRule('form', `${describeAnswer(network, result.answer)} Nothing was saved.`)
      return result.kind === 'taken' ? go(path) : { ...go(path), notice: 'network_connected' }
    },
    (mistakes) => credentialsPage(ask, { network, mistakes }),
  )
}

async function change(ask: MemberAsk): Promise<Answer> {
  const network = networkOf(ask)
  const account = await ownAccount(ask)
  return orShowMistakes(
    async () => {
      const credentials = readCredentials(ask, network, account.credentials)
      const result = await changeCredentials(
        connectingOf(ask),
        network,
        { account, credentials },
        actorOf(ask),
      )
      if (result.kind === 'fails')
        throw brokenRule('form', `${describeAnswer(network, result.answer)} Nothing was saved.`)
      if (result.kind === 'other_account')
        throw brokenRule(
          'form',
          `These credentials belong to another account, ${visible(result.label)}. Disconnect this one first. Nothing was saved.`,
        )
      return { ...go(pathOf(ask, `/networks/${network.name}`)), notice: 'network_changed' }
    },
    (mistakes) => credentialsPage(ask, { network, label: account.label, mistakes }),
  )
}

async function test(ask: MemberAsk): Promise<Answer> {
  const account = await ownAccount(ask)
  const answer = await testAccount(connectingOf(ask), networkOf(ask), account)
  return show(networkPage(ask, await stateOf(ask), answer))
}

async function callBack(ask: MemberAsk): Promise<Answer> {
  const account = await ownAccount(ask)
  const result = await setUpCallbacks(connectingOf(ask), networkOf(ask), account, actorOf(ask))
  const answer = result.kind === 'not_made' ? ({ kind: 'no_answer', why: result.why } as const) : result
  return show(networkPage(ask, await stateOf(ask), answer))
}

const one = '/settings/networks/:network'

export const networkRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/settings/networks',
    'settings.view',
    async (ask) =>
      show(ask.place.mode === 'live' ? networksPage(ask, await networkStates(ask)) : testNetworksPage(ask)),
    { nav: { label: 'Networks', order: 72, group: 'Settings' } },
  ),
  forMember(
    'GET',
    one,
    'settings.view',
    inLive(async (ask) => show(networkPage(ask, await stateOf(ask)))),
  ),
  forMember(
    'GET',
    `${one}/connect`,
    'settings.change',
    inLive(async (ask) => show(credentialsPage(ask, { network: networkOf(ask) }))),
    fresh,
  ),
  forMember('POST', `${one}/connect`, 'settings.change', inLive(connect), fresh),
  forMember(
    'GET',
    `${one}/credentials`,
    'settings.change',
    inLive(async (ask) =>
      show(credentialsPage(ask, { network: networkOf(ask), label: (await ownAccount(ask)).label })),
    ),
    fresh,
  ),
  forMember('POST', `${one}/credentials`, 'settings.change', inLive(change), fresh),
  forMember('POST', `${one}/do/test`, 'settings.change', inLive(test), fresh),
  forMember('POST', `${one}/do/callbacks`, 'settings.change', inLive(callBack), fresh),
  forMember(
    'GET',
    `${one}/disconnect`,
    'settings.change',
    inLive(async (ask) => show(disconnectPage(ask, networkOf(ask), (await ownAccount(ask)).label))),
    fresh,
  ),
  forMember(
    'POST',
    `${one}/disconnect`,
    'settings.change',
    inLive(async (ask) => {
      await disconnectAccount(ask.core.db, await ownAccount(ask), actorOf(ask))
      return { ...go(pathOf(ask, '/networks')), notice: 'network_disconnected' }
    }),
    fresh,
  ),
]
