import { readFileSync } from 'node:fs'
import { compressible, sendsConstant } from '../../../platform/http/send-text.ts'
import type { Server } from '../../../platform/http/server.ts'

// The script that a merchant's page loads. Its URL never changes, so it is cached for only five minutes: an update
// fixes it for everyone.

const text = readFileSync(new URL('./florin.js', import.meta.url), 'utf8')
  // Comments and indentation are ours, not the shop's.
  .replace(/^ *\/\/.*\n/gm, '')
  .replace(/^ +|\n(?=\n)/gm, '')
const body = `;(() => {\n${text}})()\n`

export function addEmbedScript(scope: Server): void {
  const sendScript = sendsConstant({
    type: 'text/javascript; charset=utf-8',
    body,
    headers: {
      ...compressible,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
  scope.get('/checkout.js', async (_, reply) => sendScript(reply))
}
