import { Refusal } from '../errors/refusals.ts'
import { refuseIfWaiting, type RateLimit } from '../http/rate-limit.ts'

// Whoever asks for payments that do not exist is guessing numbers. limitMisses of http/rate-limit.ts looks at the limit
// only before it searches; here a miss is counted against it as well, so that of many guesses sent at once only as many
// get an answer as the limit allows.

export function refuseGuessers(limit: RateLimit, address: string): void {
  refuseIfWaiting(limit.wait(address))
}

export function refuseMiss(limit: RateLimit, address: string): never {
  refuseIfWaiting(limit.take(address))
  throw new Refusal('not_found', 'Payment not found')
}
