import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { addSecurityTxt } from './security-txt.ts'

async function read(t: TestContext, contact: string): Promise<{ type: unknown; lines: string[] }> {
  const { server } = makeBareServer(t)
  const now = (): Date => new Date('2026-11-17T12:00:00Z')
  addSecurityTxt(server, { contact, baseUrl: 'https://pay.example/florin/', now })
  const { headers, body } = await server.inject('/.well-known/security.txt')
  return { type: headers['content-type'], lines: body.split('\n') }
}

test('security.txt has the operator’s contact and expires within a year', async (t) => {
  assert.deepEqual(await read(t, 'cert@shop.example'), {
    type: 'text/plain; charset=utf-8',
    lines: [
      'Contact: mailto:cert@shop.example',
      'Expires: 2027-05-16T12:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://pay.example/florin/.well-known/security.txt',
      '',
    ],
  })
})

test('without a contact, security.txt names security@ the host, as the standard suggests', async (t) => {
  assert.equal((await read(t, '')).lines[0], 'Contact: mailto:security@pay.example')
})
