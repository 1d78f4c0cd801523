import type { MemberAsk } from '../../../src/dashboard/ask.ts'
import type { Html } from '../../../src/platform/http/html.ts'
import { plainBrand } from '../../../src/core/merchants/brand/brand.ts'
import type { Merchant } from '../../../src/core/merchants/authenticate.ts'
import type { Mode } from '../../../src/core/merchants/mode.ts'
import type { Person } from '../../../src/dashboard/people/people.ts'
import type { Role } from '../../../src/dashboard/people/rights.ts'
import { events } from '../../../src/app/modules.ts'

// A page without a server: what it receives, and what a person finds on it.

export const now = new Date('2026-11-18T12:00:00.000Z')

const person: Person = {
  id: 'psn_ada',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  isOperator: false,
  hasPassword: true,
  hasTotp: false,
}

const merchant: Merchant = {
  id: 12_345_678,
  name: 'Corner shop',
  email: 'shop@example.com',
  liveEnabled: false,
  isSuspended: false,
  feeBasisPoints: 140,
  formsTakeSecretKeys: false,
  refundFees: false,
  payWithinMinutes: 1_440,
  idleMinutes: 720,
  brand: plainBrand,
  currencies: new Map([['GBP', 20n]]),
  currenciesOff: new Map(),
}

export type AskChanges = Omit<Partial<MemberAsk>, 'dashboard' | 'own'> & {
  readonly person?: Partial<Person>
  readonly merchant?: Partial<Merchant>
  readonly role?: Role
  readonly mode?: Mode
  /** Below the dashboard: `/account`. The shop's home unless it is named. */
  readonly path?: string
  readonly dashboard?: object
}

/** An owner of one shop in test mode, unless told otherwise. */
export function pageAsk(changes: AskChanges = {}): MemberAsk {
  const { role = 'owner', mode = 'test', path, dashboard, ...more } = changes
  const shop = { ...merchant, ...changes.merchant }
  const home = `/dashboard/${shop.id}/${mode}`
  const ask = {
    core: { now: () => now },
    dashboard: {
      prefix: '',
      baseUrl: 'https://pay.example.com',
      hasMailServer: true,
      events,
      live: { networks: [{ name: 'stripe', label: 'Stripe' }] },
      ...dashboard,
    },
    people: {},
    fields: new Map(),
    params: {},
    query: {},
    token: 'csrf-token',
    here: path === undefined ? home : `/dashboard${path}`,
    notice: undefined,
    site: undefined,
    own: {
      person: { ...person, ...changes.person },
      session: { id: 'own-session' },
      cookie: 'session-cookie',
      merchants: [{ id: shop.id, name: shop.name }],
      idleMinutes: shop.idleMinutes,
    },
    place: { merchant: shop, mode, role, home },
    ...more,
  }
  return ask as unknown as MemberAsk
}

/** The words of a page, without its markup. */
export function wordsOf(page: Html | string | undefined): string {
  const text = String(page ?? '')
    .replaceAll(/<svg[^]*?<\/svg>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
  return decode(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:)])/g, '')
    .trim()
}

/** Where its links lead, by their words. */
export function linksIn(page: Html): Record<string, string> {
  const found = String(page).matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([^]*?)<\/a\s*>/g)
  return Object.fromEntries([...found].map(([, to = '', words = '']) => [wordsOf(words), decode(to)]))
}

/** Where its forms are sent to, by the words of their button. */
export function formsIn(page: Html): Record<string, string> {
  const found = String(page).matchAll(/<form\b[^>]*\baction="([^"]*)"[^>]*>([^]*?)<\/form>/g)
  return Object.fromEntries(
    [...found].map(([, to = '', inside = '']) => [
      wordsOf(/<button\b[^>]*>([^]*?)<\/button>/.exec(inside)?.[1] ?? ''),
      decode(to),
    ]),
  )
}

/** The rows of its lists of facts, by their labels. */
export function factsIn(page: Html): Record<string, string> {
  const found = String(page).matchAll(/<dt>([^]*?)<\/dt>\s*<dd>([^]*?)<\/dd>/g)
  return Object.fromEntries([...found].map(([, label, value]) => [wordsOf(label), wordsOf(value)]))
}

/** The cells of its tables, row by row, and which columns stand to the right, as figures do. */
export function tableIn(page: Html): { readonly rows: string[][]; readonly figures: string[] } {
  const text = String(page)
  const rows = [...text.matchAll(/<tr>([^]*?)<\/tr>/g)]
    .map(([, row = '']) => [...row.matchAll(/<td\b[^>]*>([^]*?)<\/td>/g)].map(([, cell]) => wordsOf(cell)))
    .filter((row) => row.length > 0)
  const figures = [...text.matchAll(/<th\b[^>]*class="figure"[^>]*>([^]*?)<\/th>/g)]
  return { rows, figures: figures.map(([, label]) => wordsOf(label)) }
}

function decode(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
