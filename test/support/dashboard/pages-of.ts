import type { Route } from '../../../src/dashboard/ask.ts'
import { allRoutes } from './all-routes.ts'
import type { Shop } from './seed-shop.ts'

// Every page that somebody behind the door can open, as addresses. A new page is among them because it is in the table.

export type DashboardPage = { readonly name: string; readonly path: string }

/** Those whose address names something that is not there are left out, and told. */
export function pagesOf({ things }: Pick<Shop, 'things'>): {
  readonly pages: readonly DashboardPage[]
  readonly without: readonly string[]
} {
  const routes = allRoutes.filter(isPage)
  const [without, known] = [true, false].map((isUnknown) =>
    routes.filter((route) => missing(route, things).length > 0 === isUnknown),
  ) as [Route[], Route[]]
  return {
    pages: known.map(({ path }) => ({
      name: nameOf(path),
      path: `/dashboard${path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(things[name] ?? ''))}${queryOf(path, things)}`,
    })),
    without: without.map(({ path }) => path),
  }
}

function isPage({ method, access, path }: Route): boolean {
  return method === 'GET' && ['member', 'person', 'operator'].includes(access) && path !== ''
}

/** A receiver is an origin and a customer an e-mail address, which no path can hold. */
function queryOf(path: string, { origin }: Shop['things']): string {
  if (path.includes('/customers/one')) return '?email=ada%40analytical.example'
  return origin !== undefined && path.includes('/notifications/receiver')
    ? `?origin=${encodeURIComponent(origin)}`
    : ''
}

function missing({ path }: Route, things: Shop['things']): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => !(name in things))
}

function nameOf(path: string): string {
  const name = path.replace('/:merchant/:mode', '').replaceAll(':', '').split('/').filter(Boolean).join('.')
  return name === '' ? 'home' : name
}
