import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { makeTurns, type Asker } from './turns.ts'

// argon2id, written as $argon2id$v=19$m=19456,t=2,p=1$salt$hash. A hash says what it was made with, so these figures can be
// raised here at any time: who signs in with a hash of other figures gets a new one.

/** 19 MiB and two passes: what OWASP asks for at least. One takes 40 ms on a quiet core. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Node has four threads for this, and for reading files and compressing pages: sign-ins must not take all of them. */
export const turns = makeTurns({ atOnce: 2, waitingMax: 60 })

/** For people who are signed in or hold a link. */
const admitted: Asker = { queue: 'known', share: '' }

type Parameters = typeof parameters

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  return write(parameters, salt, await derive(password, salt, parameters))
}

/**
 * Whether it is the password. Without a hash, as for an unknown address, it takes as long and is false: neither the
 * answer nor its timing reveals whether there is such a person.
 */
export async function isPassword(
  password: string,
  hash: string | null | undefined,
  asker: Asker = admitted,
  run: Derive = derive,
): Promise<boolean> {
  const read = readHash(hash ?? '') ?? (await nobody())
  const derived = await run(password, read.salt, read.parameters, asker)
  const isSame = derived.length === read.hash.length && timingSafeEqual(derived, read.hash)
  return isSame && hash !== null && hash !== undefined
}

/** Made with other figures than those of today. */
export function isOutdated(hash: string): boolean {
  const read = readHash(hash)
  return !read || write(read.parameters, read.salt, read.hash) !== write(parameters, read.salt, read.hash)
}

type ReadHash = { readonly parameters: Parameters; readonly salt: Buffer; readonly hash: Buffer }

let ofNobody: Promise<ReadHash> | undefined

async function nobody(): Promise<ReadHash> {
  ofNobody ??= Promise.resolve({
    parameters,
    salt: randomBytes(saltBytes),
    hash: randomBytes(hashBytes),
  })
  return ofNobody
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readHash(text: string): ReadHash | undefined {
  const [, memory, passes, parallelism, salt = '', hash = ''] = shape.exec(text) ?? []
  if (memory === undefined) return undefined
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function write({ memory, passes, parallelism }: Parameters, salt: Buffer, hash: Buffer): string {
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/** One run of argon2id. */
export type Derive = (
  password: string,
  salt: Buffer,
  parameters: Parameters,
  asker?: Asker,
) => Promise<Buffer>

export async function derive(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: Parameters,
  asker: Asker = admitted,
): Promise<Buffer> {
  // The same letters in another composition, as another keyboard sends them, are the same password.
  const message = Buffer.from(password.normalize('NFKC'))
  const release = await turns.take(asker)
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const asked = { message, nonce: salt, memory, passes, parallelism, tagLength: hashBytes }
      argon2('argon2id', asked, (error, derived) => (error ? reject(error) : resolve(derived)))
    })
  } finally {
    release()
  }
}
