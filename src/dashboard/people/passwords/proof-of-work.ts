import {
  createHmac,
  createSecretKey,
  pbkdf2,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Core } from '../../../platform/jobs/core.ts'
import { shortAddress } from '../../../platform/input/network-of.ts'
import { installationSecret } from '../../../platform/secrets/installation-secrets.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'

// While many people sign in at once, a browser can bring a number whose PBKDF2 with our task begins with enough zeros. Any
// server of the installation knows its own task again; it counts once, for the network that asked for it. The script of the
// dashboard has the same calculation.

const bits = 8
/** Browsers do these in native code: half a second for all tries together on a laptop. Checking takes 0.5 ms. */
const iterations = 2_000
const goodForMs = 5 * 60_000

export type Task = { readonly task: string; readonly bits: number; readonly iterations: number }
export type Proof = { readonly task: string; readonly nonce: string }

export type Proofs = {
  give(address: string): Promise<Task>
  isGood(address: string, proof: Proof): Promise<boolean>
}

const derive = promisify(pbkdf2)
const shape = /^([0-9a-z]{1,9})\.[\w-]{22}\.([\w-]{43})$/

export function makeProofs({ db, now }: Pick<Core, 'db' | 'now'>, secrets: Secrets): Proofs {
  let key: KeyObject | undefined
  const spent = new Map<string, number>()

  async function sign(text: string): Promise<string> {
    key ??= createSecretKey(await installationSecret(db, secrets, 'sign-in'))
    return createHmac('sha256', key).update(text).digest('base64url')
  }

  /** On this server: another one takes it a second time. */
  function isSpent(task: string, nowMs: number): boolean {
    for (const [old, endsMs] of spent) if (endsMs < nowMs) spent.delete(old)
    return spent.has(task)
  }

  return {
    async give(address) {
      const start = `${now().getTime().toString(36)}.${randomBytes(16).toString('base64url')}`
      return { task: `${start}.${await sign(`${start} ${shortAddress(address)}`)}`, bits, iterations }
    },
    async isGood(address, { task, nonce }) {
      const [, issued = '', given = ''] = shape.exec(task.slice(0, 100)) ?? []
      if (given === '' || !/^\d{1,9}$/.test(nonce)) return false
      const right = await sign(`${task.slice(0, task.lastIndexOf('.'))} ${shortAddress(address)}`)
      const nowMs = now().getTime()
      const ageMs = nowMs - parseInt(issued, 36)
      if (!timingSafeEqual(Buffer.from(right), Buffer.from(given)) || ageMs > goodForMs) return false
      if (isSpent(task, nowMs) || !(await isSolved(task, nonce))) return false
      spent.set(task, nowMs + goodForMs)
      return true
    },
  }
}

export async function isSolved(task: string, nonce: string): Promise<boolean> {
  const start = await derive(nonce, task, iterations, 4, 'sha256')
  return start.readUInt32BE(0) < 2 ** (32 - bits)
}
