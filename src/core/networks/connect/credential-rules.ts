import type { Credentials } from '../../merchants/accounts/stored-accounts.ts'
import type { Credential, HostedConnector } from '../hosted.ts'

export const credentialLengthMax = 1_000

/** They end up in HTTP headers, which allow no other characters. */
export function isCredential(value: string): boolean {
  return value.length <= credentialLengthMax && /^[\x21-\x7e]+$/.test(value)
}

export function missingCredentials(network: HostedConnector, given: Credentials): readonly Credential[] {
  return network.credentials.filter(({ name, optional }) => optional !== true && !given[name])
}
