import { createHash, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

// A company's OpenID provider: real HTTP, real signatures, one person at a time who is signed in there. Its moods are what
// a provider, or somebody in its place, must not get away with.

export type ProviderMood =
  | 'good'
  | 'wrong_nonce'
  | 'wrong_audience'
  | 'wrong_issuer'
  | 'expired'
  | 'alg_none'
  | 'signed_with_our_secret'
  | 'foreign_key'
  | 'no_auth_time'
  | 'token_error'
  | 'not_json'
  | 'broken'
  | 'silent'

export type ProviderPerson = {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly name?: string
}

export type OpenIdStandIn = {
  readonly issuer: string
  /** Paths that were asked for, with the method. */
  readonly asked: string[]
  mood: ProviderMood
  algorithm: 'RS256' | 'ES256'
  /** When the person last typed a password there; a request with max_age=0 makes it now. */
  signedInAt: Date
  /** What a browser does with the address it was led to; where the provider sends it back, without our server. */
  visit(address: string, person: ProviderPerson, changes?: Record<string, string>): string
  close(): Promise<void>
}

export const clientId = 'florin-in-tests'
export const clientSecret = 'a secret with:colon/and%'

type Grant = { readonly query: URLSearchParams; readonly person: ProviderPerson; readonly authTime: number }

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
type Keys = Record<'RS256' | 'ES256' | 'foreign', KeyPair>

// Making a pair takes up to half a second, and every provider may have the same ones.
let keysOfAll: Keys | undefined

function makeKeys(): Keys {
  return {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    foreign: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  }
}

export async function openOpenIdProvider(now: () => Date = () => new Date()): Promise<OpenIdStandIn> {
  const keys = (keysOfAll ??= makeKeys())
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/shop`

  const provider: OpenIdStandIn = {
    issuer,
    asked: [],
    mood: 'good',
    algorithm: 'RS256',
    signedInAt: now(),
    visit(address, person, changes = {}) {
      const query = new URL(address).searchParams
      if (query.get('max_age') === '0') provider.signedInAt = now()
      const code = randomBytes(16).toString('hex')
      grants.set(code, { query, person, authTime: Math.floor(provider.signedInAt.getTime() / 1000) })
      const back = new URL(query.get('redirect_uri') ?? '')
      const given = { code, state: query.get('state') ?? '', iss: issuer, ...changes }
      for (const [name, value] of Object.entries(given)) if (value !== '') back.searchParams.set(name, value)
      return back.pathname + back.search
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', issuer).pathname.replace('/realms/shop', '')
    provider.asked.push(`${request.method} ${path}`)
    const json = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (provider.mood === 'silent') return
    if (provider.mood === 'broken') return json(500, { error: 'server_error' })
    if (provider.mood === 'not_json') return void response.end('<h1>Maintenance</h1>')
    if (path === '/.well-known/openid-configuration') return json(200, discovery(issuer))
    if (path === '/keys') return json(200, { keys: [jwk('RS256', keys), jwk('ES256', keys)] })
    if (path !== '/token') return json(404, {})
    const form = new URLSearchParams(await text(request))
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const isGranted = grant && provider.mood !== 'token_error' && fits(grant, form, request)
    if (!isGranted) return json(400, { error: 'invalid_grant' })
    const token = idToken(provider, keys, grant, now())
    json(200, { access_token: 'unused', token_type: 'Bearer', expires_in: 60, id_token: token })
  }
  return provider
}

function fits({ query }: Grant, form: URLSearchParams, request: IncomingMessage): boolean {
  const verifier = form.get('code_verifier') ?? ''
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return (
    query.get('code_challenge') === challenge &&
    query.get('code_challenge_method') === 'S256' &&
    query.get('redirect_uri') === form.get('redirect_uri') &&
    request.headers.authorization === basic()
  )
}

function idToken(provider: OpenIdStandIn, keys: Keys, { query, person, authTime }: Grant, now: Date): string {
  const { mood, algorithm, issuer } = provider
  const at = Math.floor(now.getTime() / 1000) - (mood === 'expired' ? 7_200 : 0)
  const claims = {
    iss: mood === 'wrong_issuer' ? 'https://other.example' : issuer,
    aud: mood === 'wrong_audience' ? 'another-client' : clientId,
    nonce: mood === 'wrong_nonce' ? 'x'.repeat(43) : query.get('nonce'),
    iat: at,
    exp: at + 300,
    ...(mood !== 'no_auth_time' && { auth_time: authTime }),
    ...person,
  }
  if (mood === 'alg_none') return `${part({ alg: 'none' })}.${part(claims)}.`
  if (mood === 'signed_with_our_secret') {
    const head = `${part({ alg: 'HS256' })}.${part(claims)}`
    return `${head}.${createHmac('sha256', clientSecret).update(head).digest('base64url')}`
  }
  if (mood === 'foreign_key') return signed({ alg: 'RS256', kid: 'RS256' }, claims, keys.foreign.privateKey)
  return signed({ alg: algorithm, kid: algorithm }, claims, keys[algorithm].privateKey)
}

function discovery(issuer: string): unknown {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // A careless provider offers more than anybody should take.
    id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'ES256'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** As the standard wants it: both parts encoded as in a form. */
function basic(): string {
  const encoded = [clientId, clientSecret].map((one) =>
    encodeURIComponent(one)
      .replaceAll(/[-_.!~*'()]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  )
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

function jwk(alg: 'RS256' | 'ES256', keys: Keys): unknown {
  return { ...keys[alg].publicKey.export({ format: 'jwk' }), kid: alg, alg, use: 'sig' }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signed(header: unknown, claims: unknown, key: KeyObject): string {
  const head = `${part(header)}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' })
  return `${head}.${signature.toString('base64url')}`
}
