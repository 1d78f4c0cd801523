import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { languages } from '../../src/core/checkout/language.ts'
import { settings } from '../../src/platform/settings/config.ts'
import { findNginx, nginxFile, startNginx, type Nginx } from '../support/nginx.ts'

// ops/nginx/florin.conf, before two servers that are killed.

const program = findNginx()
const skip = program === undefined ? 'nginx is not installed' : false

/** Returns the lines of a map. */
function readMap(name: string): Map<string, string> {
  const [, body = ''] = nginxFile.match(new RegExp(`^map [^{\\n]* \\$${name} \\{\\n([^}]*)\\}`, 'm')) ?? []
  return new Map(
    [...body.matchAll(/^ +("[^"]*"|\S+) "?(.*?)"?;$/gm)].map(([, from = '', to = '']) => [from, to]),
  )
}

test('every TLS server of the nginx file has a certificate, and no server is left out after a failure', () => {
  const secure = nginxFile
    .split(/^server \{$/m)
    .slice(1)
    .filter((part) => / ssl;/.test(part))
  assert.equal(secure.length, 1)
  for (const name of ['server_name', 'ssl_certificate', 'ssl_certificate_key', 'proxy_pass'])
    assert.match(secure[0] ?? '', new RegExp(`^ +${name} [^;]+;$`, 'm'), name)
  const servers = [...nginxFile.matchAll(/^ +(?:# )?server (\d.*);$/gm)].map(([, line = '']) => line)
  assert.equal(servers.length, 2)
  for (const line of servers) assert.match(line, / max_fails=0$/)
})

test('nginx repeats only creates with an Idempotency-Key, and closes idle connections before Florin does', () => {
  const repeating = nginxFile.split(/^  location /m).filter((part) => part.includes('non_idempotent;'))
  assert.deepEqual(
    repeating.map((part) => part.split(' ')[0]),
    ['@may_repeat'],
  )
  assert.deepEqual([...readMap('florin_may_repeat').keys()], ['default', '"~^POST /api/payment .+"'])
  // nginx keeps them for 60 s.
  assert.doesNotMatch(nginxFile, /keepalive_timeout/)
  assert.ok(Number(settings.IDLE_TIMEOUT_MS.default) > 60_000)
})

test('the page for customers has the words of the checkout in all its languages', () => {
  const keys = {
    florin_title: 'brokenTitle',
    florin_not_shown: 'brokenBody',
    florin_not_known: 'brokenPay',
    florin_again: 'tryAgain',
    florin_open: 'openPayment',
  } as const
  for (const { code, direction, words } of languages) {
    const own = code === 'en' ? 'default' : code
    for (const [name, key] of Object.entries(keys))
      assert.equal(readMap(name).get(own), words[key], `${name} ${code}`)
    assert.equal(readMap('florin_direction').get(code) ?? 'ltr', direction)
  }
})

type Backend = { readonly server: Server; readonly port: number; readonly got: string[]; isCut: boolean }

/** Answers, or reads a whole request and then cuts the connection, as a server that is killed at work. */
async function openBackend(): Promise<Backend> {
  const got: string[] = []
  const server = createServer((incoming, answer) => {
    let body = ''
    incoming.on('data', (part: Buffer) => (body += part.toString()))
    incoming.on('end', () => {
      got.push(body)
      if (backend.isCut) incoming.socket.destroy()
      else answer.end('done')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const backend: Backend = { server, port, got, isCut: false }
  return backend
}

async function close({ server }: Backend): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

type Answer = { status: number; body: string; headers: Record<string, unknown> }

let nginx: Nginx | undefined
let [dying, alive]: Backend[] = []
const agent = new Agent({ rejectUnauthorized: false })

before(async () => {
  if (program === undefined) return
  dying = await openBackend()
  alive = await openBackend()
  nginx = await startNginx(program, [dying.port, alive.port])
})
after(async () => {
  agent.destroy()
  await nginx?.stop()
  if (dying && alive) await Promise.all([close(dying), close(alive)])
})

async function send(path: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  const headers = { host: 'pay.example.com', ...(options.headers as object) }
  const outgoing = request({ host: '127.0.0.1', port: nginx?.port, agent, path, ...options, headers })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage]
  return { status: incoming.statusCode ?? 0, body: await text(incoming), headers: incoming.headers }
}

const create = async (body: string, headers = {}): Promise<Answer> =>
  send('/api/payment', { method: 'POST', headers }, body)

const failed = (message: string): string =>
  JSON.stringify({ status: 'failed', message, data: null, code: 'unavailable' })
const maybeSaved = failed(
  'Florin did not answer, so this may have been saved; look it up before you try again',
)

const tries = Array.from({ length: 8 }, (_, index) => `try-${index}`)

test(
  'what one server cut, nginx asks the other where that is safe, and repeats no other POST',
  { skip },
  async () => {
    if (!dying || !alive) return
    dying.isCut = true
    for (const path of tries) assert.equal((await send(`/api/${path}`)).status, 200)
    for (const body of tries) assert.equal((await create(body, { 'idempotency-key': body })).status, 200)
    dying.got.length = 0
    alive.got.length = 0

    const answers = await Promise.all(tries.map(async (body) => create(body)))
    assert.deepEqual([...dying.got, ...alive.got].toSorted(), tries, 'each came to one server, once')
    assert.ok(dying.got.length > 0 && alive.got.length > 0)
    for (const [index, { status, body, headers }] of answers.entries()) {
      if (alive.got.includes(tries[index] ?? '')) assert.equal(status, 200)
      else {
        assert.deepEqual([status, body, headers['retry-after']], [503, maybeSaved, '2'])
        assert.equal(headers['content-type'], 'application/json; charset=utf-8')
        assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/)
      }
    }
  },
)

test('a server that takes no connections costs no caller an answer', { skip }, async () => {
  if (!dying || !alive) return
  await close(dying)
  for (const body of tries) assert.equal((await create(body)).status, 200, body)
})

test('without any server programs get JSON, and customers a page in their language', { skip }, async () => {
  if (!dying || !alive) return
  await Promise.all([close(dying), close(alive)])
  const read = await send('/api/transactions')
  assert.deepEqual([read.status, read.body], [503, failed('Florin is unavailable; try again shortly')])
  for (const headers of [{}, { 'idempotency-key': 'one' }])
    assert.deepEqual([(await create('{}', headers)).body], [maybeSaved])

  for (const { code, direction, words } of languages) {
    const headers = { 'accept-language': `${code}-XX,${code};q=0.9` }
    const page = await send('/payment/123', { headers })
    assert.deepEqual([page.status, page.headers['retry-after']], [503, '2'])
    assert.ok(page.body.includes(`<html lang="${code}" dir="${direction}">`))
    assert.ok(page.body.includes(`<p>${words.brokenBody}</p><a href="">${words.tryAgain}</a>`), page.body)
    const paying = await send('/payment/123/pay', { method: 'POST', headers }, 'x=1')
    assert.ok(
      paying.body.includes(`<p>${words.brokenPay}</p><a href="/payment/123">${words.openPayment}</a>`),
      paying.body,
    )
  }
})
