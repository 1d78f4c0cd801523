import type { Account } from './hosted.ts'

// What a connector throws when it is unknown whether the network acted. It holds only our own text and nothing that was
// sent: requests carry secret keys, and errors end up in logs.

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** How long the network asked us to wait. */
  readonly retryAfterMs: number | undefined

  constructor(network: string, why: string, retryAfterMs?: number) {
    super(`${network} gave no answer: ${why}`)
    this.retryAfterMs = retryAfterMs
  }
}

const whyLength = 300

/** A network's own words, fit for a log: short, on one line, without the credentials that they may repeat. */
export function quote(words: string, account: Account): string {
  let hidden = words
  for (const secret of Object.values(account.credentials)) {
    if (secret !== '') hidden = hidden.replaceAll(secret, '[hidden]')
  }
  return hidden.replace(/\s+/g, ' ').trim().slice(0, whyLength)
}
