import type { Owner } from '../../core/merchants/accounts/stored-accounts.ts'

export function describeOwner(owner: Owner): string {
  return owner === 'installation' ? 'the installation' : `merchant ${owner}`
}
