import type { Place, Secrets } from '../sealed/secrets.ts'
import type { Owner } from './account-store.ts'

/** Under the names that the network's connector gives them. */
export type Credentials = Readonly<Record<string, string>>

export function sealCredentials(
  secrets: Secrets,
  owner: Owner,
  id: string,
  credentials: Credentials,
): Buffer {
  return secrets.seal(placeOf(owner, id), Buffer.from(JSON.stringify(credentials)))
}

export function openCredentials(secrets: Secrets, owner: Owner, id: string, sealed: Buffer): Credentials {
  return JSON.parse(secrets.open(placeOf(owner, id), sealed).toString()) as Credentials
}

function placeOf(owner: Owner, id: string): Place {
  return owner === 'installation'
    ? { table: 'installation_accounts', key: id, purpose: 'credentials' }
    : { table: 'connector_accounts', key: `${owner}/${id}`, purpose: 'credentials' }
}
