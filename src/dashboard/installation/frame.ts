import { html, type Html } from '../../platform/http/html.ts'
import type { PersonAsk } from '../ask.ts'
import { head } from '../parts/parts.ts'
import { tabs } from '../parts/things.ts'

export function pathOf(ask: PersonAsk, rest = ''): string {
  return `${ask.dashboard.prefix}/dashboard/installation${rest}`
}

/** The heading and tabs of the operator's pages. */
export function installationHead(ask: PersonAsk, here: 'merchants' | 'health', action?: Html): Html {
  return html`${head('This installation', {
    lead: 'For operators. Only a shop’s own team can see its payments.',
    ...(action && { action }),
  })}
  ${tabs('This installation', [
    { label: 'Merchants', to: pathOf(ask), isHere: here === 'merchants' },
    { label: 'Health', to: pathOf(ask, '/health'), isHere: here === 'health' },
    { label: 'Audit log', to: pathOf(ask, '/audit'), isHere: false },
  ])}`
}
