import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { isLoopbackUrl } from '../../../platform/outbound/addresses.ts'

// The company's OpenID provider: where it signs people in, and what it says of them. openid-client checks its answers; our
// own way out carries the calls, with its limits. Loaded with the first sign-in: most installations have no provider.

export type OpenIdOptions = {
  readonly issuer: string
  readonly clientId: string
  /** Empty: a public client, which PKCE alone protects. */
  readonly clientSecret: string
  /** On the button. */
  readonly name: string
  readonly redirectUri: string
  readonly outbound: Outbound
  readonly now: () => Date
}

/** What the browser carries there and back, and the provider must repeat. */
export type FlowSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Claims = {
  readonly issuer: string
  readonly subject: string
  /** Only when the provider says that it checked it. */
  readonly verifiedEmail: string | undefined
  readonly email: string | undefined
  readonly name: string | undefined
  /** When the person last showed a password or the like there; undefined when the provider does not say. */
  readonly authenticatedAt: Date | undefined
}

export type OpenIdProvider = {
  readonly name: string
  readonly issuer: string
  /** `isProof`: the person has to sign in there again, however recently they did. */
  addressFor(secrets: FlowSecrets, isProof: boolean): Promise<string>
  /** `query`: what the browser brought back, with its question mark. */
  redeem(secrets: FlowSecrets, query: string): Promise<Claims>
}

/** It did not answer, or not as a provider does. Whoever waits may try again. */
export class ProviderAway extends Error {}
/** It answered, but the answer must not be trusted. */
export class ProviderRefused extends Error {}

const callTimeoutMs = 8_000
const answerLimitBytes = 256 * 1024
const metadataMs = 10 * 60_000
/** Signed with a key of the provider's; never `none`, nor with the secret that we have too. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

export function makeOpenIdProvider(options: OpenIdOptions): OpenIdProvider {
  const { name, issuer, now, redirectUri } = options
  const fetchIt = makeFetch(options.outbound)
  let known: { readonly metadata: ServerMetadata; readonly atMs: number } | undefined

  async function metadata(): Promise<ServerMetadata> {
    // No test: a cache: the result is the same
    const age = known ? now().getTime() - known.atMs : Infinity
    if (known && age >= 0 && age < metadataMs) return known.metadata
    const client = await import('openid-client')
    const found = await client.discovery(new URL(issuer), options.clientId, undefined, undefined, {
      [client.customFetch]: fetchIt,
      ...(isLoopbackUrl(issuer) && { execute: [client.allowInsecureRequests] }),
    })
    known = { metadata: found.serverMetadata(), atMs: now().getTime() }
    return known.metadata
  }

  return {
    name,
    issuer,
    addressFor: async (secrets, isProof) =>
      explained(async () => {
        const client = await import('openid-client')
        const address = client.buildAuthorizationUrl(await configure(options, await metadata(), fetchIt), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...(isProof && { max_age: '0', prompt: 'login' }),
        })
        if (address.protocol !== 'https:' && !isLoopbackUrl(address.href))
          throw new ProviderRefused('its sign-in page is not on https')
        return address.href
      }),
    redeem: async (secrets, query) =>
      explained(async () => {
        const client = await import('openid-client')
        const config = await configure(options, await metadata(), fetchIt)
        const tokens = await client.authorizationCodeGrant(config, new URL(redirectUri + query), {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true, // No test: without one claimsOf refuses
        })
        return claimsOf(issuer, tokens.claims() ?? {})
      }),
  }
}

async function configure(
  { clientId, clientSecret, issuer, now }: OpenIdOptions,
  metadata: ServerMetadata,
  fetchIt: CustomFetch,
): Promise<Configuration> {
  const client = await import('openid-client')
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  const config = new client.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: offered.filter((one) => algorithms.includes(one)) },
    clientId,
    // Our own clock, which tests move.
    { [client.clockSkew]: Math.round((now().getTime() - Date.now()) / 1000) },
    authenticate(client, clientSecret, metadata),
  )
  config[client.customFetch] = fetchIt
  if (isLoopbackUrl(issuer)) client.allowInsecureRequests(config)
  // By default answers over TLS are trusted without their signature.
  client.enableNonRepudiationChecks(config)
  return config
}

type Client = typeof import('openid-client')

/** How Florin shows who it is; without a secret, by PKCE alone. */
function authenticate(client: Client, secret: string, metadata: ServerMetadata): ClientAuth {
  if (secret === '') return client.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret)
}

/**
 * Redirects aren't followed, answers are cut, and nothing waits for ever. The issuer is set by the operator, and may be
 * in a private network.
 */
function makeFetch(outbound: Outbound): CustomFetch {
  return async (url, init) => {
    const result = await outbound.send({
      url,
      scope: 'local',
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: init.headers,
      body: init.body instanceof URLSearchParams ? init.body.toString() : '',
      timeoutMs: callTimeoutMs,
      signal: init.signal ?? AbortSignal.timeout(callTimeoutMs),
      answerLimitBytes,
    })
    if (result.error !== undefined) throw new ProviderAway(result.error)
    const { status, answer } = result
    if (status === 429 || status >= 500) throw new ProviderAway(`it said ${status}`)
    // Invalid JSON fails where it is read.
    return new Response(status === 204 ? null : new Uint8Array(answer), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** The package wraps errors; the cause says whether there was an answer. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof ProviderAway || cause instanceof ProviderRefused) throw cause
    throw new ProviderRefused(describeError(error))
  }
}

/** In the words of the package, which name what was wrong and hold nothing of the answer. */
function describeError(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return `${code} ${message}`.trim().slice(0, 200)
}

function claimsOf(issuer: string, claims: Readonly<Record<string, unknown>>): Claims {
  const { sub, email, email_verified: isVerified, name, auth_time: authTime } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw new ProviderRefused('it names nobody')
  const address = typeof email === 'string' && email.length <= 254 ? email : undefined
  return {
    issuer,
    subject: sub,
    email: address,
    verifiedEmail: isVerified === true ? address : undefined,
    name: typeof name === 'string' ? name : undefined,
    authenticatedAt: typeof authTime === 'number' ? new Date(authTime * 1000) : undefined,
  }
}
