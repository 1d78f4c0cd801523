import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/sql.ts'
import type { Clock } from './clock.ts'
import { openHouse, type House } from './house.ts'
import {
  clientId,
  clientSecret,
  openOpenIdProvider,
  type OpenIdStandIn,
  type ProviderPerson,
} from './openid-provider.ts'
import { Visitor, type PersonAt, type PageAnswer } from './visitor.ts'

// A whole Florin with a company's OpenID provider beside it, and what a browser does between the two.

export class OpenIdHouse {
  readonly house: House
  readonly provider: OpenIdStandIn
  readonly #clock: Clock

  private constructor(house: House, provider: OpenIdStandIn, clock: Clock) {
    this.house = house
    this.provider = provider
    this.#clock = clock
  }

  static async open(clock: Clock): Promise<OpenIdHouse> {
    const provider = await openOpenIdProvider(clock.now)
    const settings = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Example GmbH',
    }
    return new OpenIdHouse(await openHouse({ world: { now: clock.now }, settings }), provider, clock)
  }

  now(): Date {
    return this.#clock.now()
  }

  /** As before a test: a good provider, and nobody has to wait. */
  async rest(): Promise<void> {
    this.provider.mood = 'good'
    this.provider.algorithm = 'RS256'
    this.provider.signedInAt = this.#clock.now()
    await this.house.db.query(sql`delete from sign_in_waits`)
  }

  /** Sends the form, and returns the address at the provider that the browser is led to. */
  async setOut(
    visitor: Visitor,
    page: string,
    to: string,
    fields: Record<string, string> = {},
  ): Promise<string> {
    const seen = await visitor.fill(page, fields, to)
    assert.equal(seen.status, 200, seen.text)
    const address = seen.headers.get('refresh')?.replace('0; url=', '') ?? ''
    assert.ok(address.startsWith(`${this.provider.issuer}/authorize?`), address)
    return address
  }

  async startSignIn(visitor: Visitor, fields: Record<string, string> = {}): Promise<string> {
    return this.setOut(visitor, '/dashboard/sign-in', '/dashboard/sign-in/openid', fields)
  }

  async signIn(
    visitor: Visitor,
    as: ProviderPerson,
    fields: Record<string, string> = {},
  ): Promise<PageAnswer> {
    return visitor.get(this.provider.visit(await this.startSignIn(visitor, fields), as))
  }

  /** The browser of the person, who is connected from now on. */
  async link(person: PersonAt, as: ProviderPerson): Promise<Visitor> {
    const visitor = new Visitor(this.house)
    await visitor.signIn(person)
    const address = await this.setOut(visitor, '/dashboard/account/openid', '/dashboard/account/openid')
    const seen = await visitor.get(this.provider.visit(address, as))
    assert.deepEqual([seen.status, seen.to], [303, '/dashboard/account'], seen.text)
    return visitor
  }

  async close(): Promise<void> {
    await this.house.close()
    await this.provider.close()
  }
}

let count = 0
export function somebody(more: Partial<ProviderPerson> = {}): ProviderPerson {
  count += 1
  const email = `sub${count}@example.com`
  return { sub: `sub-${count}`, email, email_verified: true, name: `Sub ${count}`, ...more }
}
