import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type MailSink = {
  readonly settings: { readonly SMTP_URL: string }
  /** Message ids of what it took, without the host. */
  readonly ids: ReadonlySet<string>
  close(): Promise<void>
}

export async function openMailSink(): Promise<MailSink> {
  const ids = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        ids.add(/^message-id: <([^@>]+)/im.exec(Buffer.concat(chunks).toString('utf8'))?.[1] ?? '')
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    ids,
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(resolve)
      }),
  }
}
