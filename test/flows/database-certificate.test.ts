import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import * as certificate from '../support/certificate.ts'
import { runFlorinProcess } from '../support/run-florin.ts'

// A PostgreSQL whose certificate nobody knows: the advice must be one that verifies.

test('a certificate error explains how to name the authority, and that works', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-certificate-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const authority = join(folder, 'ca.pem')
  writeFileSync(authority, certificate.cert)
  let agreed = 0
  // As far as TLS goes, and then it hangs up.
  const postgres = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S')
        const secured = new TLSSocket(socket, {
          isServer: true,
          key: certificate.key,
          cert: certificate.cert,
        })
        secured
          .on('error', () => {})
          .once('data', () => {
            agreed += 1
            secured.destroy()
          })
      })
  })
  postgres.listen(0, '127.0.0.1')
  await once(postgres, 'listening')
  t.after(() => postgres.close())
  const url = `postgres://florin@127.0.0.1:${(postgres.address() as AddressInfo).port}/florin`

  const strict = await runFlorinProcess(['migrate'], { DATABASE_URL: `${url}?sslmode=verify-full` })
  assert.equal(strict.code, 69)
  assert.match(
    strict.err,
    /certificate.* Add the certificate of its authority: \?sslmode=verify-full&sslrootcert=/,
  )
  assert.equal(agreed, 0)

  const advised = `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`
  const named = await runFlorinProcess(['migrate'], { DATABASE_URL: advised })
  assert.doesNotMatch(named.err, /certificate/)
  assert.equal(agreed, 1)
})
