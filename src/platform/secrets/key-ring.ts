import { makeSecrets, type Secrets } from './secrets.ts'
import type { SecretsKey } from './secrets-key.ts'

/** Seals and opens, and rereads its keys while a server runs. */
export type KeyRing = {
  readonly secrets: Secrets
  /** The key that the operator put first: the one that a rotation goes to. */
  readonly first: SecretsKey
  reread(): readonly SecretsKey[]
}

export function makeKeyRing(read: () => readonly SecretsKey[]): KeyRing {
  const [first, ...others] = read()
  if (!first) throw new Error('A ring of keys needs one')
  return { secrets: makeSecrets(first, others), first, reread: read }
}
