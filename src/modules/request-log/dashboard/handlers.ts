import { Refusal } from '../../../platform/errors/refusals.ts'
import { makeCursor, readCursor } from '../../../platform/input/cursor.ts'
import { Query } from '../../../platform/input/fields.ts'
import { listKeys, type KeySummary } from '../../../core/merchants/list.ts'
import { findRequest, listRequests, outcomes, type RequestFilter } from '../list-requests.ts'
import type { MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import { addressOf } from '../../../dashboard/parts/lists.ts'
import { requestPage, requestsPage } from './pages.ts'

// The request log.

const nav = { label: 'Request log', order: 56, group: 'Developers' } as const
const requestIdShape = /^[\w.:/+=-]{8,128}$/
const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })

async function keysOf({ core, place }: MemberAsk): Promise<KeySummary[]> {
  const keys = await listKeys(core.db, place.merchant.id)
  return keys.filter(({ mode }) => mode === null || mode === place.mode)
}

function readFilter({ query }: MemberAsk): RequestFilter {
  const given = (name: string): string => (query[name] ?? '').trim().replaceAll('\0', '')
  return {
    outcome: outcomes.find((one) => one === given('outcome')) ?? '',
    method: /^[A-Z]{3,7}$/.test(given('method')) ? given('method') : '',
    keyId: /^key_\w{1,32}$/.test(given('key')) ? given('key') : '',
    path: given('path').slice(0, 200),
  }
}

export const requestsRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/requests',
    'requests.view',
    async (ask) => {
      const path = `${ask.place.home}/requests`
      const request = (ask.query['request'] ?? '').trim()
      if (requestIdShape.test(request)) return go(`${path}/${encodeURIComponent(request)}`)
      const filter = readFilter(ask)
      const { cursor } = ask.query
      const fields = new Query({ cursor: cursor ?? undefined })
      const before = readCursor(fields, /^log_\w+$/)
      const { lines, next } = await listRequests(ask.core.db, scopeOf(ask), filter, before)
      const { outcome, method, keyId: key, path: part } = filter
      const asked = { outcome, method, key, path: part }
      return show(
        requestsPage(ask, {
          lines,
          filter,
          keys: await keysOf(ask),
          isFiltered: Object.values(asked).some((value) => value !== ''),
          newest: before && addressOf(path, asked),
          older: next && addressOf(path, { ...asked, cursor: makeCursor(next) }),
        }),
      )
    },
    { nav },
  ),
  forMember('GET', '/requests/:request', 'requests.view', async (ask) => {
    const found = await findRequest(ask.core.db, scopeOf(ask), ask.params['request'] ?? '')
    if (!found) throw new Refusal('not_found')
    return show(requestPage(ask, found, await keysOf(ask)))
  }),
]
