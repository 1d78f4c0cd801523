import type { Owner } from '../../merchants/accounts/stored-accounts.ts'

export function describeOwner(owner: Owner): string {
  return owner === 'installation' ? 'the installation' : `merchant ${owner}`
}
