import { isolate, plainText } from '../../../platform/input/isolate.ts'
import type { Language } from '../../../core/checkout/language.ts'
import { savedMethodWords } from '../words/saved-methods.ts'

type Named = {
  readonly kind: 'card' | 'debit'
  readonly brand: string | null
  readonly last4: string | null
}

/** `Visa •••• 4242`, as one word that runs from left to right in every language. */
export function nameMethod({ kind, brand, last4 }: Named, { code, direction }: Language): string {
  if (brand === null && last4 === null) {
    const words = savedMethodWords[code]
    return kind === 'card' ? words.someCard : words.someDebit
  }
  const digits = last4 === null ? [] : [`\u2022\u2022\u2022\u2022\u00a0${last4}`]
  const name = [...(brand === null ? [] : [plainText(brand)]), ...digits].join('\u00a0')
  return direction === 'rtl' ? `\u2066${name}\u2069` : isolate(name, direction)
}
