import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

// The smallest storefront: a page to pay on and a page to come back to, with the lines of docs/medusa.md and Medusa's own SDK, both in the browser.

const folder = join(resolve(process.argv[2] ?? ''), 'medusa')

export type Storefront = { readonly url: string; stop(): void }

export async function startStorefront(
  medusa: { url: string; key: string },
  sdk: string,
): Promise<Storefront> {
  const begin = `<!doctype html><meta charset=utf-8><title>Oak & Co</title><h1>…</h1><script type=module>
    import { completeOnReturn, goToFlorin } from '/storefront.js'
    import Medusa from '/sdk.js'
    const sdk = new Medusa({ baseUrl: '${medusa.url}', publishableKey: '${medusa.key}' })
    const cartId = new URLSearchParams(location.search).get('cart')
    const heading = document.querySelector('h1')`
  const files: Record<string, readonly [type: string, text: string]> = {
    '/storefront.js': ['text/javascript', readFileSync(new URL('../storefront.js', import.meta.url), 'utf8')],
    '/sdk.js': ['text/javascript', sdk],
    '/checkout': [
      'text/html',
      `${begin}
    const { cart } = await sdk.store.cart.retrieve(cartId)
    heading.textContent = 'Your cart: £' + cart.total
    const button = document.createElement('button')
    button.textContent = 'Pay'
    button.onclick = () => goToFlorin(sdk, cart, location.origin + '/paid?cart=' + cart.id)
    document.body.append(button)
    </script>`,
    ],
    '/paid': [
      'text/html',
      `${begin}
    const order = await completeOnReturn(sdk, cartId)
    heading.textContent = order ? 'Thank you' : 'Not paid'
    </script>`,
    ],
  }
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://shop').pathname]
    response.writeHead(file ? 200 : 404, { 'content-type': `${file?.[0] ?? 'text/plain'}; charset=utf-8` })
    response.end(file?.[1])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** As every storefront's build does: browsers can't load the SDK's parts by name. */
export function bundleSdk(): string {
  const build = `const [made] = require('esbuild').buildSync({
    stdin: { contents: "export { default } from '@medusajs/js-sdk'", resolveDir: process.cwd() },
    bundle: true, format: 'esm', platform: 'browser', write: false }).outputFiles
  process.stdout.write(made.text)`
  const made = spawnSync('node', ['-e', build], { cwd: folder, encoding: 'utf8', maxBuffer: 50_000_000 })
  if (made.status !== 0) throw new Error(`The SDK can't be bundled: ${made.stderr}`)
  return made.stdout
}
