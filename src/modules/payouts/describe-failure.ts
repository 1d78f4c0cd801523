/** Networks’ codes for failed payouts, in sentences. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['account_closed', 'The bank account is closed.'],
  ['account_frozen', 'The bank account is frozen.'],
  ['bank_account_restricted', 'The bank account takes no payouts.'],
  ['bounced', 'Your bank sent the money back.'],
  ['canceled', 'It was cancelled at the network.'],
  ['could_not_process', 'The bank couldn’t process it.'],
  ['insufficient_funds', 'The network held too little money.'],
  ['invalid_account_number', 'The account number is wrong.'],
  ['incorrect_account_holder_name', 'The account is in another name.'],
  ['no_account', 'The bank has no such account.'],
  ['returned_by_bank', 'Your bank sent the money back.'],
])

/** A sentence; a reason we don't know is quoted. */
export function describeFailure({ failure }: { readonly failure: string | null }): string {
  if (failure === null) return 'The network gives no reason.'
  return reasons.get(failure) ?? `The network says: ${failure.replaceAll('_', ' ').replace(/\.$/, '')}.`
}
