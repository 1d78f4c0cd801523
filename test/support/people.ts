import { Database } from '../../src/platform/database/database.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import type { PersonEmail } from '../../src/platform/outbound/person-email.ts'
import { makePeople, type People, type Visitor } from '../../src/dashboard/people/people.ts'
import type { OpenIdProvider } from '../../src/dashboard/people/openid/provider.ts'
import { createTestDatabase } from './database.ts'
import { makeStillClock, type Clock } from './clock.ts'
import { testSecrets } from './secrets.ts'

// The room of people on a database of its own, without a server: for rules that need no page.

export type PeopleRoom = {
  readonly people: People
  readonly db: Database
  readonly merchantId: number
  readonly clock: Clock
  /** What was written to people, oldest first. */
  readonly emails: PersonEmail[]
  close(): Promise<void>
}

export async function openPeople(options: { readonly openId?: OpenIdProvider } = {}): Promise<PeopleRoom> {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  const clock = makeStillClock()
  const emails: PersonEmail[] = []
  const people = makePeople({
    db,
    secrets: testSecrets,
    log: makeLog('silent'),
    now: clock.now,
    baseUrl: 'https://pay.example.com',
    isSignUpOpen: true,
    openId: options.openId,
    sendEmail: async (_, mail) => void emails.push(mail),
  })
  return {
    people,
    db,
    merchantId: await createMerchant(db, { name: 'Corner shop' }),
    clock,
    emails,
    async close() {
      await people.settled()
      await db.close()
      await home.drop()
    },
  }
}

/** Somebody at a browser. `knownBy`: the cookie by which it is known again. */
export function visitorFrom(address: string, knownBy?: string): Visitor {
  return { address, device: 'Firefox', requestId: 'req_1', knownBy }
}

/** The secret at the end of the link in the newest e-mail to an address. */
export function secretIn(emails: readonly PersonEmail[], email: string): string {
  const mail = emails.findLast(({ to, link }) => to.toLowerCase() === email.toLowerCase() && link)
  return mail?.link?.url.split('/').at(-1) ?? 'no e-mail'
}
