import { Refusal } from '../../platform/errors/refusals.ts'
import type { Actor } from '../../core/audit/audit.ts'
import { createKey, revokeKey, rollKey } from '../../core/merchants/change-keys.ts'
import { listKeys, type KeySummary } from '../../core/merchants/list.ts'
import {
  rollWebhookSecret,
  showWebhookSecrets,
  webhookSecrets,
} from '../../core/notifications/ipn/webhook-secrets.ts'
import { byPerson } from '../people/people.ts'
import type { Answer, Content, MemberAsk, Route } from '../ask.ts'
import { forMember, go, orShowMistakes, show } from '../define-route.ts'
import { idIn, orMadeBefore } from '../once.ts'
import { keyPage, revokePage, rollPage } from './key-page.ts'
import { isLiving, keysPage } from './keys-page.ts'
import { freshKeyPage, newKeyPage } from './new-key-page.ts'
import { readKeyRequest, readKind, readOverlap } from './read-key.ts'
import { webhookSecretPage } from './webhook-secret-page.ts'

// Keys and the webhook secret. Creating, showing or ending one asks for the password or a passkey again.

const fresh = { isFresh: true }
const nav = { label: 'Keys', order: 50, group: 'Developers' } as const
const by = (ask: MemberAsk): Actor => byPerson(ask.own.person.id, ask.visitor)
const ownerOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const keepingOf = ({ core, dashboard }: MemberAsk) => ({ db: core.db, secrets: dashboard.secrets })

/** Keys of this mode, and keys without a mode. */
async function keysOf({ core, place }: MemberAsk): Promise<KeySummary[]> {
  const keys = await listKeys(core.db, place.merchant.id)
  return keys.filter(({ mode }) => mode === null || mode === place.mode)
}

function keyAmong(keys: readonly KeySummary[], ask: MemberAsk): KeySummary {
  const key = keys.find(({ id }) => id === ask.params['key'])
  if (!key) throw new Refusal('not_found')
  return key
}

/** 404 if the key has ended. */
function livingKeyAmong(keys: readonly KeySummary[], ask: MemberAsk): KeySummary {
  const key = keyAmong(keys, ask)
  if (!isLiving(key, ask.core.now())) throw new Refusal('not_found')
  return key
}

/** The new-key form was sent again. Florin no longer knows the key. */
function shownBefore({ place }: MemberAsk, id: string): Answer {
  return { ...go(`${place.home}/keys/${id}`), notice: 'key_shown_before' }
}

async function secretPage(
  ask: MemberAsk,
  options: Parameters<typeof webhookSecretPage>[2] = {},
): Promise<Content> {
  return webhookSecretPage(ask, await webhookSecrets(keepingOf(ask), ownerOf(ask)), options)
}

const secretRoutes: readonly Route[] = [
  forMember('GET', '/keys/webhook-secret', 'keys.view', async (ask) => show(await secretPage(ask))),
  forMember(
    'POST',
    '/keys/webhook-secret/do/show',
    'keys.change',
    async (ask) => {
      const secrets = await showWebhookSecrets(keepingOf(ask), ownerOf(ask), by(ask))
      return show(webhookSecretPage(ask, secrets, { isShown: true }))
    },
    fresh,
  ),
  forMember(
    'POST',
    '/keys/webhook-secret/do/roll',
    'keys.change',
    (ask) =>
      orShowMistakes(
        async () => {
          const rolled = ask.fields.get('rolled')
          await rollWebhookSecret(keepingOf(ask), ownerOf(ask), readOverlap(ask.fields), by(ask), { rolled })
          return { ...go(`${ask.place.home}/keys/webhook-secret`), notice: 'webhook_secret_rolled' }
        },
        (mistakes) => secretPage(ask, { mistakes }),
      ),
    fresh,
  ),
]

const newKeyRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/keys/new',
    'keys.change',
    (ask) => show(newKeyPage(ask, readKind(ask.query['kind']))),
    fresh,
  ),
  forMember(
    'POST',
    '/keys/new',
    'keys.change',
    (ask) =>
      orShowMistakes(
        () => {
          const { merchant, mode } = ask.place
          const id = idIn(ask.fields, 'key')
          const request = { ...readKeyRequest(ask.fields, mode, ask.dashboard.secrets), id }
          return orMadeBefore(
            async () => {
              const made = await createKey(ask.core.db, merchant.id, request, by(ask))
              return show(freshKeyPage(ask, { kind: request.kind, fresh: made, name: request.name }))
            },
            shownBefore(ask, id),
          )
        },
        (mistakes) => newKeyPage(ask, readKind(ask.fields.get('kind')), ask.fields, mistakes),
      ),
    fresh,
  ),
]

async function roll(ask: MemberAsk, { id, kind, name }: KeySummary, newId: string): Promise<Answer> {
  const { core, place, dashboard } = ask
  const overlap = readOverlap(ask.fields)
  const how = { signing: dashboard.secrets, newId }
  const made = await rollKey(core.db, place.merchant.id, id, overlap, by(ask), how)
  return show(freshKeyPage(ask, { kind, fresh: made, name }))
}

export const keysRoutes: readonly Route[] = [
  forMember('GET', '/keys', 'keys.view', async (ask) => show(keysPage(ask, await keysOf(ask))), { nav }),
  ...secretRoutes,
  ...newKeyRoutes,
  forMember('GET', '/keys/:key', 'keys.view', async (ask) =>
    show(keyPage(ask, keyAmong(await keysOf(ask), ask))),
  ),
  forMember(
    'GET',
    '/keys/:key/roll',
    'keys.change',
    async (ask) => show(rollPage(ask, livingKeyAmong(await keysOf(ask), ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/keys/:key/roll',
    'keys.change',
    async (ask) => {
      const newId = idIn(ask.fields, 'key')
      const before = shownBefore(ask, newId)
      const keys = await keysOf(ask)
      // The old key may have ended with the first roll. Both are looked up in one read: with two reads, a roll between them
      // got a 404.
      if (keys.some(({ id }) => id === newId)) return before
      const key = livingKeyAmong(keys, ask)
      return orShowMistakes(
        () => orMadeBefore(async () => roll(ask, key, newId), before),
        (mistakes) => rollPage(ask, key, mistakes),
      )
    },
    fresh,
  ),
  forMember(
    'GET',
    '/keys/:key/revoke',
    'keys.change',
    async (ask) => show(revokePage(ask, livingKeyAmong(await keysOf(ask), ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/keys/:key/revoke',
    'keys.change',
    async (ask) => {
      const key = livingKeyAmong(await keysOf(ask), ask)
      await revokeKey(ask.core.db, ask.place.merchant.id, key.id, by(ask))
      return { ...go(`${ask.place.home}/keys`), notice: 'key_revoked' }
    },
    fresh,
  ),
]
