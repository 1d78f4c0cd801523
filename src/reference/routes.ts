import { jsonType } from '../http/envelope.ts'
import { makeOpenApi, type Operation } from '../http/openapi.ts'
import { readStylesheet, sendPage } from '../http/page.ts'
import type { Server } from '../http/server.ts'
import { drawReference } from './pages/reference.ts'

// The API for those who program against it: /openapi.json for programs, /docs for people.

const styles = [readStylesheet(new URL('./reference.css', import.meta.url))]

export function addReference(server: Server, operations: readonly Operation[], baseUrl: string): void {
  const document = JSON.stringify(makeOpenApi(operations, baseUrl))
  const body = drawReference(operations, baseUrl)

  server.get('/openapi.json', (_, reply) =>
    reply.type(jsonType).header('access-control-allow-origin', '*').send(document),
  )
  server.get('/docs', (_, reply) => sendPage(reply, 200, { title: 'Florin API', body, styles }))
  server.get('/', (_, reply) => reply.redirect('/docs', 302))
}
