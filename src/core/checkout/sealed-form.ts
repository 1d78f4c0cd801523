import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { installationSecret } from '../../platform/secrets/installation-secrets.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

// A customer who mistyped an e-mail address corrects it on our page, and the rest of the shop's form is carried along.
// It holds a key, perhaps a secret one, that must not be readable in a page of our origin, and an amount that nobody
// may change on the way. So the page carries the fields sealed: only a server of this installation can open them, for
// as long as it takes to type an address. A table would have to be written, found by every server and emptied again,
// for strangers who may send any number of forms.

export type SealedForms = {
  /** Undefined when the form is too large to be carried. */
  seal(fields: FormFields): Promise<string | undefined>
  /** Undefined when it is none of ours, was changed, or is too old. */
  open(sealed: string): Promise<FormFields | undefined>
}

export const sealedMinutes = 30
// With what base64 adds, and what the customer types, it still fits into a body of 64 KiB.
const sealedBytesMax = 40 * 1024
const ivBytes = 12
const tagBytes = 16

export function makeSealedForms(db: Database, secrets: Secrets, now: () => Date): SealedForms {
  let key: Promise<KeyObject> | undefined
  async function readKey(): Promise<KeyObject> {
    try {
      return createSecretKey(await installationSecret(db, secrets, 'form'))
    } catch (error) {
      key = undefined
      throw error
    }
  }

  return {
    async seal(fields) {
      const text = JSON.stringify({ at: now().getTime(), fields: [...fields] })
      if (Buffer.byteLength(text) > sealedBytesMax) return undefined
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', await (key ??= readKey()), iv)
      const sealed = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    async open(sealed) {
      const text = decrypt(await (key ??= readKey()), Buffer.from(sealed, 'base64url'))
      if (text === undefined) return undefined
      const { at, fields } = JSON.parse(text) as { at: number; fields: [string, string][] }
      return now().getTime() - at < sealedMinutes * 60_000 ? new Map(fields) : undefined
    },
  }
}

function decrypt(key: KeyObject, bytes: Buffer): string | undefined {
  // No test: an empty text without a valid signature is refused anyway
  if (bytes.length <= ivBytes + tagBytes) return undefined
  const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
  opener.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    return Buffer.concat([opener.update(bytes.subarray(ivBytes + tagBytes)), opener.final()]).toString()
  } catch {
    return undefined
  }
}
