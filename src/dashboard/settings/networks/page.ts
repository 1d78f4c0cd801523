import type { Answer } from '../../../core/networks/connect/check-account.ts'
import { describeAnswer } from '../../../core/networks/connect/describe-answer.ts'
import type { HostedConnector } from '../../../core/networks/hosted.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import { visible } from '../../../platform/input/visible.ts'
import type { AccountSummary } from '../../../core/merchants/accounts/list-accounts.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { pill } from '../../parts/lists.ts'
import {
  crumb,
  field,
  form,
  head,
  press,
  problems,
  timeAgo,
  type Mistakes,
  shopTime,
} from '../../parts/parts.ts'
import { copyable, facts, section } from '../../parts/things.ts'
import { mayChange, pathOf, styles } from '../parts.ts'
import { callbackAddress, type NetworkState } from './model.ts'

// The networks of live payments. Credentials are encrypted and never shown again.

export function liveHome({ place }: MemberAsk): string {
  return place.home.replace(/test$/, 'live')
}

export function testNetworksPage(ask: MemberAsk): Content {
  return {
    title: 'Networks',
    styles,
    body: html`${head('Networks', { lead: 'Test mode has its own network.' })}
      ${facts([
        ['Test network', pill('always on', 'good')],
        ['What it takes', 'The test cards shown on every checkout page, and a test bank you control'],
        ['Money', 'No real money'],
      ])}
      <p>
        Accounts at Stripe, GoCardless and other networks are for live payments:
        <a href="${liveHome(ask)}/settings/networks">networks in live mode</a>.
      </p>`,
  }
}

export function networksPage(ask: MemberAsk, states: readonly NetworkState[]): Content {
  return {
    title: 'Networks',
    styles,
    body: html`${head('Networks', { lead: 'The accounts that receive live payments.' })}
      <ul class="rows">
        ${states.map((state) => networkRow(ask, state))}
      </ul>`,
  }
}

function networkRow(ask: MemberAsk, { network, account, calledAt }: NetworkState): Html {
  const path = pathOf(ask, `/networks/${network.name}`)
  const isOwn = account !== undefined && account.merchant !== 'installation'
  return html`<li>
    <div class="what">
      <b>${network.label}</b>
      <span class="quiet small">
        ${account ? html`${visible(account.label)} · ${describeCalls(ask, account, calledAt)}` : 'Not connected'}
      </span>
    </div>
    ${account && statePills(account)} ${account && !isOwn && pill('shared by this installation')}
    ${account && html`<a class="button plain" href="${path}" aria-label="Details: ${network.label}">Details</a>`}
    ${!isOwn && mayChange(ask) && html`<a class="button ${account ? 'plain' : 'go'}" href="${path}/connect" aria-label="Connect ${network.label}">Connect</a>`}
  </li>`
}

function statePills({ sandbox, callbacks }: AccountSummary): Html {
  return html`${sandbox ? pill('sandbox', 'warn') : pill('live', 'good')}
  ${callbacks === 'missing' && pill('no callbacks', 'warn')}`
}

function describeCalls(
  ask: MemberAsk,
  { callbacks }: AccountSummary,
  calledAt: Date | undefined,
): Html | string {
  if (calledAt) return html`last callback ${timeAgo(calledAt, shopTime(ask))}`
  return callbacks === 'missing' ? 'callbacks are not set up' : 'no callbacks yet'
}

export function networkPage(ask: MemberAsk, state: NetworkState, answer?: Answer): Content {
  const { network, account, calledAt } = state
  const path = pathOf(ask, `/networks/${network.name}`)
  const crumbs = { crumb: crumb(pathOf(ask, '/networks'), 'Networks') }
  if (!account)
    return {
      title: network.label,
      styles,
      body: html`${head(network.label, crumbs)}
        <div class="card form">
          <p>Not connected. No live payments go through ${network.label}.</p>
          ${mayChange(ask) && html`<div><a class="button go" href="${path}/connect">Connect ${network.label}</a></div>`}
        </div>`,
    }
  const isOwn = account.merchant !== 'installation'
  return {
    title: network.label,
    styles,
    body: html`${head(network.label, { ...crumbs, lead: visible(account.label) })} ${answer && describeResult(network, answer)}
    ${facts([
      ['Money', account.sandbox ? pill('sandbox: no real money', 'warn') : pill('live', 'good')],
      ['Owner', isOwn ? 'Your shop' : 'This installation, for shops without their own account'],
      ['Credentials', 'Encrypted and never shown'],
      ['Callbacks', callbackWords[account.callbacks]],
      [
        'Last callback',
        calledAt ? timeAgo(calledAt, shopTime(ask)) : html`<span class="quiet">Not yet</span>`,
      ],
      ['Last checked', timeAgo(new Date(account.checked_at), shopTime(ask))],
    ])}
    ${section('Callback address', callbackPart(ask, state, account))}
    ${isOwn && mayChange(ask) && ownPart(ask, state, path)}`,
  }
}

const callbackWords: Readonly<Record<AccountSummary['callbacks'], Html | string>> = {
  set_up: pill('set up', 'good'),
  missing: pill('not set up', 'warn'),
  unknown: 'Unknown',
}

/** The result of a connection test. */
function describeResult(network: HostedConnector, answer: Answer): Html {
  const sentence = describeAnswer(network, answer)
  return answer.kind === 'works'
    ? html`<div class="notice" role="status"><p>${sentence}</p></div>`
    : html`<div class="problem" role="alert"><h2>That didn’t work</h2><p>${sentence}</p></div>`
}

function callbackPart(ask: MemberAsk, { network }: NetworkState, account: AccountSummary): Html {
  const url = callbackAddress(ask, network.name, account.merchant)
  return html`<p class="quiet">
      ${network.label} calls this address when something happens, and Florin then asks for details. Without callbacks Florin
      learns about payments later.
    </p>
    ${copyable(url, 'Callback address')}
    ${!url.startsWith('https:') && html`<p class="error">${network.label} only calls https addresses, and BASE_URL isn’t one.</p>`}`
}

function ownPart(ask: MemberAsk, { network, account }: NetworkState, path: string): Html {
  const isReached = ask.dashboard.baseUrl.startsWith('https:')
  const canSetUp = network.setUpCallback !== undefined && account?.callbacks === 'missing' && isReached
  return html`<div class="actions">
      ${press(ask, `${path}/do/test`, 'Test connection')}
      ${canSetUp && press(ask, `${path}/do/callbacks`, 'Set up callbacks')}
      <a class="button plain" href="${path}/credentials">Change credentials</a>
      <a class="button danger" href="${path}/disconnect">Disconnect</a>
    </div>`
}

type CredentialForm = {
  readonly network: HostedConnector
  /** The account's label; undefined for a new account. */
  readonly label?: string | undefined
  readonly mistakes?: Mistakes
}

export function credentialsPage(ask: MemberAsk, { network, label, mistakes = {} }: CredentialForm): Content {
  const isNew = label === undefined
  const title = isNew ? `Connect ${network.label}` : `New ${network.label} credentials`
  const back = isNew ? pathOf(ask, '/networks') : pathOf(ask, `/networks/${network.name}`)
  return {
    title,
    styles,
    body: html`${head(title, {
      crumb: crumb(back, isNew ? 'Networks' : network.label),
      lead: isNew ? 'Florin tests the credentials first, and stores them only if they work.' : visible(label),
    })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          `${pathOf(ask, `/networks/${network.name}`)}/${isNew ? 'connect' : 'credentials'}`,
          html`${network.credentials.map((one) => credentialField(network, one, isNew, mistakes))}
            <p class="hint">Credentials are encrypted with this installation’s key and never shown again.</p>
            <div><button class="go">${isNew ? 'Connect' : 'Change'}</button></div>`,
        )}
      </div>
      ${isNew && section('Callback address', html`<p class="quiet">If you create the webhook endpoint at ${network.label} yourself:</p>${copyable(callbackAddress(ask, network.name, ask.place.merchant.id), 'Callback address')}`)}`,
  }
}

function credentialField(
  network: HostedConnector,
  { name, label, optional }: HostedConnector['credentials'][number],
  isNew: boolean,
  mistakes: Mistakes,
): Html {
  const later = network.setUpCallback
    ? 'Leave empty: Florin can set up callbacks afterwards'
    : 'You can add it later'
  const hint = isNew ? (optional ? later : undefined) : 'Leave empty to keep it'
  return field({ name, label, type: 'password', autocomplete: 'off', hint }, mistakes)
}

export function disconnectPage(ask: MemberAsk, network: HostedConnector, label: string): Content {
  const path = pathOf(ask, `/networks/${network.name}`)
  return {
    title: `Disconnect ${network.label}`,
    styles,
    body: html`${head(`Disconnect ${network.label}?`, { crumb: crumb(path, network.label), lead: visible(label) })}
      <div class="card form">
        <ul>
          <li>New payments no longer use this account.</li>
          <li>Payments, refunds and disputes under way will finish.</li>
          <li>If no other network is connected, live checkout pages say that payment isn’t possible.</li>
        </ul>
        ${form(
          ask,
          `${path}/disconnect`,
          html`<div class="actions">
            <button class="danger">Disconnect ${network.label}</button>
            <a class="button plain" href="${path}">Cancel</a>
          </div>`,
        )}
      </div>`,
  }
}
