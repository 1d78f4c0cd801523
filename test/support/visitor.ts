import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { hashPassword } from '../../src/dashboard/people/passwords/hash-password.ts'
import type { Role } from '../../src/dashboard/people/rights.ts'
import { addPerson } from '../../src/dashboard/people/sign-up.ts'
import { insertMember } from '../../src/dashboard/people/team/team-store.ts'
import type { House } from './house.ts'

// Somebody at the dashboard with a browser that keeps cookies and has no script; and people to be.

export const goodPassword = 'seven wet herons argue 4 times'

export type PageAnswer = {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** Where it leads, without the server. */
  readonly to: string
}

/** Of a house, or of another Florin that listens somewhere. */
export type Door = Pick<House, 'url' | 'db' | 'merchantId'>

export type PersonAt = { readonly id: string; readonly email: string; readonly name: string }

let hash: Promise<string> | undefined
let count = 0

/** A person with the good password, who belongs to the merchant of the house, or to another one. */
export async function newPerson(
  house: Pick<Door, 'db' | 'merchantId'>,
  given: { role?: Role; merchantId?: number; isOperator?: boolean; email?: string } = {},
): Promise<PersonAt> {
  hash ??= hashPassword(goodPassword)
  count += 1
  const email = given.email ?? `person${count}.${process.pid}@example.com`
  const stored = { email, name: `Person ${count}`, hash: await hash, isOperator: given.isOperator ?? false }
  return inTransaction(house.db, async (tx) => {
    const row = await addPerson(tx, stored)
    if (!row) throw new Error(`${email} is somebody's`)
    if (given.role) await insertMember(tx, given.merchantId ?? house.merchantId, row.id, given.role)
    return { id: row.id, email, name: row.name }
  })
}

export class Visitor {
  readonly house: Door
  readonly cookies = new Map<string, string>()
  readonly headers: Record<string, string>
  last: PageAnswer | undefined

  constructor(house: Door, headers: Record<string, string> = {}) {
    this.house = house
    this.headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0 Safari/537.36',
      'accept-encoding': 'identity', // packing and unpacking took a sixth of a page's processor time
      ...headers,
    }
  }

  async get(path: string): Promise<PageAnswer> {
    return this.#ask(path, {})
  }

  /** With the token of the page that was seen last, unless another is given. */
  async post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const token = this.token()
    const body = new URLSearchParams({ ...(token !== undefined && { token }), ...fields }).toString()
    return this.#ask(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  /** A form with files, which brings its own token. */
  async send(path: string, body: FormData, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#ask(path, { method: 'POST', body, headers })
  }

  /** Opens a page, then sends its form. */
  async fill(path: string, fields: Record<string, string>, to = path): Promise<PageAnswer> {
    await this.get(path)
    // A page that is over has no form: what is sent to it all the same has the token of another page.
    if (this.token() === undefined) await this.get('/dashboard/sign-in')
    return this.post(to, fields)
  }

  token(): string | undefined {
    return /name="token" value="([^"]+)"/.exec(this.last?.text ?? '')?.[1]
  }

  cookie(name: string): string | undefined {
    return [...this.cookies].find(([key]) => key.endsWith(`-${name}`))?.[1]
  }

  async signIn(person: { email: string }, password = goodPassword): Promise<PageAnswer> {
    return this.fill('/dashboard/sign-in', { email: person.email, password })
  }

  async #ask(path: string, init: RequestInit): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(this.house.url + path, {
      redirect: 'manual',
      ...init,
      headers: {
        ...this.headers,
        ...(cookie !== '' && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const { status, headers } = answer
    const seen = { status, headers, text: await answer.text(), to: headers.get('location') ?? '' }
    // After a redirect the next form is of the page it leads to, whose token is the same browser's.
    if (seen.text.includes('name="token"') || status === 200) this.last = seen
    return seen
  }
}

/** E-mails that stayed here, newest first. */
export async function emailsTo(house: House, email: string) {
  await house.app.people.settled()
  const all = await house.app.mailbox.list({ merchantId: 0, mode: 'live' })
  return all.filter(({ to }) => to.toLowerCase() === email.toLowerCase())
}

/** The path of the link in the newest e-mail. */
export async function linkTo(house: House, email: string): Promise<string> {
  const [mail] = await emailsTo(house, email)
  return /\/dashboard\/\S+/.exec(mail?.text ?? '')?.[0] ?? 'no link'
}

export async function actionsOf(house: House, merchantId = house.merchantId): Promise<string[]> {
  const rows = await house.db.query<{ action: string }>(sql`
    select action from audit_log where merchant_id = ${merchantId} order by at, id`)
  return rows.map(({ action }) => action)
}

/** Somebody new with this role, at the dashboard. */
export async function signedIn(house: Door, given: Parameters<typeof newPerson>[1]): Promise<Visitor> {
  const visitor = new Visitor(house)
  await visitor.signIn(await newPerson(house, given))
  return visitor
}
