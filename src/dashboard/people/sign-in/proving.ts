import { inTransaction } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { authenticationOptions, provePasskey } from '../factors/passkeys.ts'
import { listPasskeys } from '../find-person.ts'
import { linkedIdentity } from '../openid/identities.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { provePassword } from '../sign-in.ts'
import type { Answer, Content, PersonAsk, Route } from '../../ask.ts'
import { forPerson, go, describeWait, show, showWait } from '../../define-route.ts'
import { readNext } from '../../next-path.ts'
import { provePage } from './prove-page.ts'
import type { Mistakes } from '../../parts/parts.ts'

// Asks for the password or a passkey again before changes to money, keys or access.

function nextOf(ask: PersonAsk): string {
  const given = ask.request.method === 'GET' ? ask.query['next'] : ask.fields.get('next')
  return readNext(given, ask.dashboard.prefix) ?? `${ask.dashboard.prefix}/dashboard`
}

/** The page again, with mistakes. */
export async function drawProve(ask: PersonAsk, mistakes: Mistakes = {}): Promise<Content> {
  const passkeys = ask.site ? await listPasskeys(ask.people, ask.own.person.id) : []
  const isLinked = (await linkedIdentity(ask.people, ask.own.person.id)) !== undefined
  return provePage(ask, nextOf(ask), { passkey: passkeys.length > 0, openId: isLinked }, mistakes)
}

/** The session gains rights, so it gets a new id. */
export async function goOn(ask: PersonAsk, next = nextOf(ask)): Promise<Answer> {
  const now = ask.core.now()
  const session = await inTransaction(ask.core.db, async (tx) =>
    rotateSession(tx, ask.own.session, ask.own.cookie, { now, provedAt: now }),
  )
  if (!session) throw new Refusal('not_found', 'Your session has ended')
  return { ...go(next), session }
}

export const provingRoutes: readonly Route[] = [
  forPerson('GET', '/prove', async (ask) => show(await drawProve(ask))),
  forPerson('POST', '/prove', async (ask) => {
    const result = await provePassword(ask.people, ask.own.person.id, ask.fields.get('password') ?? '')
    if (result === 'proved') return goOn(ask)
    if (result === 'refused') return show(await drawProve(ask, { form: 'Wrong password.' }), 401)
    return showWait(await drawProve(ask, describeWait(result.seconds)), result.seconds)
  }),
  forPerson('POST', '/prove/passkey-options', async (ask) => {
    if (!ask.site) throw new Refusal('not_found')
    return { kind: 'json', body: await authenticationOptions(ask.people, ask.site, ask.own.person.id) }
  }),
  forPerson('POST', '/prove/passkey', async (ask) => {
    if (!ask.site) throw new Refusal('not_found')
    const answer = ask.fields.get('answer') ?? ''
    if (await provePasskey(ask.people, ask.site, ask.own.person.id, answer)) return goOn(ask)
    return show(await drawProve(ask, { form: 'This passkey isn’t on your account.' }), 401)
  }),
]
