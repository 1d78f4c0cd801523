import { html } from '../http/html.ts'
import { sendPage } from '../http/page.ts'
import type { Server } from '../http/server.ts'

// Where the start screen's sign-in link leads until the dashboard moves in.

export function addDashboard(server: Server): void {
  server.get('/dashboard/sign-in', (_, reply) =>
    sendPage(reply, 200, {
      title: 'Florin',
      body: html`<main class="letter">
        <span class="wordmark">Florin</span>
        <div class="card">
          <h1>Florin is running</h1>
          <p>
            The dashboard is not built yet. Until then, keys and merchants are kept from the command line, in
            the folder that Florin runs in:
          </p>
          <pre class="command"><code>bin/florin key list
bin/florin key create --kind secret --mode test
bin/florin --help</code></pre>
        </div>
      </main>`,
    }),
  )
}
