import type { Account, Checked } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { callbackEvents } from './callback.ts'
import { ask, bodyOf, listIn, mustHave, name, type PayPalWay } from './client.ts'
import type { Webhook } from './resources.ts'

// An app's credentials don't show whether it belongs to the sandbox: PayPal does, by accepting them there or not.

export async function check(
  way: PayPalWay,
  account: Account,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<Checked> {
  let why = ''
  for (const sandbox of [true, false]) {
    // Named one by one: the credentials of a stored account are hidden from spreading, as from printing.
    const tried = { id: account.id, credentials: account.credentials, sandbox }
    const listed = await ask(way, tried, webhooks, signal)
    if (listed.kind === 'ok' || listed.status === 403) {
      const callbacks =
        listed.kind === 'ok' ? callbacksOf(listIn(listed.body, 'webhooks'), account, callbackUrl) : 'unknown'
      return { kind: 'works', accountName: accountNameOf(account), sandbox, callbacks }
    }
    // Anything else than not knowing the credentials says nothing about them.
    if (listed.status !== 400 && listed.status !== 401) bodyOf(listed)
    why = listed.why
  }
  return { kind: 'refused', why: why === '' ? 'PayPal does not know them' : why }
}

const webhooks = { path: '/v1/notifications/webhooks' }

/** An app has no name that its credentials could read. Its client id is no secret: every shop page has it. */
function accountNameOf({ credentials: { client_id = '' } }: Account): string {
  return `PayPal app (${client_id.slice(0, 8)}…${client_id.slice(-6)})`
}

function callbacksOf(found: readonly Webhook[], account: Account, callbackUrl: string): 'set_up' | 'missing' {
  const ours = found.find(({ id }) => id === account.credentials['webhook_id'])
  return ours?.url === callbackUrl && hearsAll(ours) ? 'set_up' : 'missing'
}

function hearsAll({ event_types = [] }: Webhook): boolean {
  const heard = new Set(event_types.map((each) => each.name))
  return heard.has('*') || callbackEvents.every((event) => heard.has(event))
}

/** PayPal takes one webhook per URL, and returns its id whenever it is asked. */
export async function setUpCallback(
  way: PayPalWay,
  account: Account,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<Account['credentials']> {
  const found = listIn(bodyOf(await ask(way, account, webhooks, signal)), 'webhooks')
  const before = found.find(({ url }) => url === callbackUrl)
  if (before && !hearsAll(before))
    throw new NoAnswer(
      name,
      'it has a webhook for this URL that lacks events: delete it there, or choose all events',
    )
  if (before) return { webhook_id: before.id }
  const send = { url: callbackUrl, event_types: callbackEvents.map((event) => ({ name: event })) }
  const made = mustHave<Webhook>(bodyOf(await ask(way, account, { ...webhooks, send }, signal)), 'id')
  return { webhook_id: made.id }
}
