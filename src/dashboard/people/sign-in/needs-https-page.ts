import { html } from '../../../platform/http/html.ts'
import type { Ask, Content } from '../../ask.ts'

export function needsHttpsPage(ask: Ask): Content {
  const { port } = new URL(ask.dashboard.baseUrl)
  return {
    title: 'This needs HTTPS',
    isNarrow: true,
    body: html`<div class="card">
      <h1>This needs HTTPS</h1>
      <p>
        Over plain HTTP, anyone on the network could read your password, so you can’t sign in here.
      </p>
      <p class="quiet">
        Are you the operator? Put Florin behind an HTTPS proxy and set <code>BASE_URL</code> to that address. On the machine
        itself, open <code>http://localhost${port === '' ? '' : `:${port}`}/dashboard</code>.
      </p>
    </div>`,
  }
}
