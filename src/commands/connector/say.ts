import type { Owner } from '../../merchants/accounts/stored-accounts.ts'

export function sayOwner(owner: Owner): string {
  return owner === 'installation' ? 'the installation' : `merchant ${owner}`
}
