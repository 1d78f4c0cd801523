import type { Owner } from '../../merchants/accounts/stored-accounts.ts'

/** Where a network calls us for an account. */
export function callbackUrl(baseUrl: string, connector: string, owner: Owner): string {
  return `${baseUrl}/callbacks/${connector}/${owner}`
}
