import { isolate } from '../http/isolate.ts'
import type { CheckoutView } from '../payments/checkout-view.ts'
import type { FieldMistakes } from './card-form.ts'
import { fill, type Choice, type Words } from './language.ts'
import { returnAddress } from './return-address.ts'

// All that a page is drawn from. Pages are pure functions of a scene.

export type Setting = Choice & {
  /** What stands before /payment in the addresses, when Florin lives below a path. */
  readonly prefix: string
}

export type Scene = Setting & {
  readonly view: CheckoutView
  readonly digits: string
  /** As people write it, in their language. */
  readonly amount: string
  /** Proves that a post came from a page of this payment. */
  readonly token: string
  readonly now: Date
  /** The customer asked to stay with the page instead of being sent on. */
  readonly stays?: boolean
  readonly mistakes?: FieldMistakes
  /** What may be shown again after a mistake. Never the number or the security code. */
  readonly typed?: { readonly expiry: string; readonly name: string }
}

export function addressOf(scene: Setting & { digits: string }, verb = ''): string {
  return `${scene.prefix}/payment/${scene.digits}${verb}${scene.isChosen ? `?lang=${scene.language.code}` : ''}`
}

/** The same page, from which nobody is sent on. */
export function stayAddressOf(scene: Scene): string {
  return `${addressOf(scene)}${scene.isChosen ? '&' : '?'}stay=1`
}

/** A sentence of the page, with the merchant and the amount filled in. */
export function say(scene: Scene, key: keyof Words, values: Readonly<Record<string, string>> = {}): string {
  const merchant = isolate(scene.view.merchantName, scene.language.direction)
  return fill(scene.language.words[key], { merchant, amount: scene.amount, ...values })
}

export function returnsTo(scene: Scene): string | undefined {
  return returnAddress(scene.view.payment)
}

const freshMs = 10 * 60 * 1000

/** Whether the payment has just ended. Somebody who opens an old receipt wants to read it, not to be sent away. */
export function isFresh(scene: Scene): boolean {
  return scene.now.getTime() - Date.parse(scene.view.payment.updated_at) < freshMs
}
