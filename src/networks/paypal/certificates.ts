import { X509Certificate, type KeyObject } from 'node:crypto'
import type { NetworkWay } from '../../core/networks/call-network.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { name } from './tokens.ts'

// PayPal signs callbacks with a certificate whose URL comes with the callback. It is fetched only from PayPal's own
// host, once, and cached, so that reading a callback makes no call. A forger could name URLs there that don't exist:
// after a few of them nothing more is fetched for a minute.

export type Certificates = {
  /** Undefined: not fetched, or not PayPal's. Makes no calls. */
  keyOf(url: string, host: string, now: Date): KeyObject | undefined
  fetch(url: string, host: string, signal: AbortSignal): Promise<void>
}

export type CertificateWay = Omit<NetworkWay, 'api'> & {
  readonly now: () => Date
  readonly roots?: readonly string[] | undefined
}

/** PayPal has two or three at a time. */
const keptMax = 20
const missesMax = 5
const missesMs = 60_000
const bytesMax = 64 * 1024
const lengthMax = 500

const path = /^\/v1\/notifications\/certs\/CERT-[0-9a-f-]{8,100}$/i
/** The owner of the certificates, in the sandbox and live. */
const owners = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com']

export function makeCertificates(way: CertificateWay): Certificates {
  const kept = new Map<string, X509Certificate>()
  const fetching = new Map<string, Promise<void>>()
  let misses: number[] = []

  async function load(url: string, signal: AbortSignal): Promise<void> {
    const pem = await download(way, url, signal)
    const leaf = pem === undefined ? undefined : trusted(pem, way.roots, way.now())
    if (!leaf) {
      misses.push(way.now().getTime())
      return
    }
    kept.set(url, leaf)
    for (const oldest of kept.keys()) if (kept.size > keptMax) kept.delete(oldest)
  }

  return {
    keyOf(url, host, now) {
      const certificate = isAllowed(url, host) ? kept.get(url) : undefined
      return certificate && isInTime(certificate, now) ? certificate.publicKey : undefined
    },
    async fetch(url, host, signal) {
      if (!isAllowed(url, host) || kept.has(url)) return
      const since = way.now().getTime() - missesMs
      misses = misses.filter((at) => at > since)
      if (misses.length >= missesMax) return
      const loading = fetching.get(url) ?? load(url, signal).finally(() => fetching.delete(url))
      fetching.set(url, loading)
      await loading
    },
  }
}

/** `host`: `https://api.paypal.com`. Nothing else is ever called, whatever a header says. */
function isAllowed(url: string, host: string): boolean {
  if (url.length > lengthMax || !URL.canParse(url)) return false
  const { origin, pathname, search, hash, username, password } = new URL(url)
  return origin === host && path.test(pathname) && `${search}${hash}${username}${password}` === ''
}

/** Undefined: there is none. Throws when PayPal's host gave no answer: the callback comes again. */
async function download(way: CertificateWay, url: string, signal: AbortSignal): Promise<string | undefined> {
  const { outbound, scope } = way
  const headers = { accept: '*/*', 'user-agent': 'florin' }
  const call = { url, scope, method: 'GET', headers, body: '', signal, answerLimitBytes: bytesMax } as const
  const result = await outbound.send(call)
  if (result.error !== undefined) throw new NoAnswer(name, result.error)
  if (result.status === 429 || result.status >= 500) throw new NoAnswer(name, `status ${result.status}`)
  return result.status === 200 ? result.answer.toString('latin1') : undefined
}

const block = /-----BEGIN CERTIFICATE-----[\w\s+/=]+-----END CERTIFICATE-----/g

/** The first certificate of the file, if it is PayPal's, currently valid, and chains up to a trusted authority. */
export function trusted(
  pem: string,
  roots: readonly string[] | undefined,
  now: Date,
): X509Certificate | undefined {
  const chain = (pem.match(block) ?? []).map(readCertificate)
  const [leaf] = chain
  if (!leaf || chain.some((one) => !one || !isInTime(one, now))) return undefined
  if (!owners.some((owner) => leaf.checkHost(owner, { subject: 'always' }) !== undefined)) return undefined
  const whole = chain.filter((one) => one !== undefined)
  const isLinked = whole.every((one, place) => place === 0 || isIssuedBy(whole[place - 1], one))
  return isLinked && isVouchedFor(whole, roots) ? leaf : undefined
}

/**
 * PayPal doesn't document whether its file holds the chain, and its own SDKs bring an intermediate certificate along
 * (paypal/PayPal-Python-SDK, pull request 100), so a file with the first certificate alone is accepted: then TLS to
 * PayPal's own host vouches for it. Whoever could place a file there could make Florin ask PayPal about a payment, and no
 * more. One that nobody but itself issued is refused.
 */
function isVouchedFor(chain: readonly X509Certificate[], roots: readonly string[] | undefined): boolean {
  if (!roots) return true
  const last = chain.at(-1)
  if (chain.length === 1) return last !== undefined && !last.checkIssued(last)
  return roots.some((root) => {
    const known = readCertificate(root)
    return known && last && (known.fingerprint256 === last.fingerprint256 || isIssuedBy(last, known))
  })
}

function isIssuedBy(one: X509Certificate | undefined, issuer: X509Certificate): boolean {
  return one !== undefined && issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey)
}

function isInTime({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo)
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
