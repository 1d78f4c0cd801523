import type { Server } from './server.ts'

// Where to report a vulnerability, in the place scanners and people look for it (RFC 9116).

type SecurityTxtOptions = {
  /** An e-mail address; empty: security at the host of the base URL, as RFC 2142 has it. */
  readonly contact: string
  readonly baseUrl: string
  readonly now: () => Date
}

/** Anew with each answer, so it never runs out while Florin runs. The standard wants less than a year. */
const validDays = 180
const dayMs = 86_400_000

export function addSecurityTxt(server: Server, options: SecurityTxtOptions): void {
  server.get('/.well-known/security.txt', async (_, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityTxt(options)),
  )
}

function securityTxt({ contact, baseUrl, now }: SecurityTxtOptions): string {
  const address = contact === '' ? `security@${new URL(baseUrl).hostname}` : contact
  const expires = new Date(now().getTime() + validDays * dayMs).toISOString()
  return [
    `Contact: mailto:${address}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl.replace(/\/+$/, '')}/.well-known/security.txt`,
    '',
  ].join('\n')
}
