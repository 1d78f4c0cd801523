import { containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { referenceShape } from '../create-payment.ts'
import { foldText } from '../search/fold-text.ts'
import { isPart, type Needle } from '../search/grams.ts'
import { readAmounts } from '../search/read-amounts.ts'

// What a hurried person pasted: which payment numbers, references, digits, addresses, names or amounts it may be. A text may
// be several of them; each is looked for.

export type Search = {
  /** From a checkout link. `merchantId` if the text names one. */
  readonly number: { readonly number: string; readonly merchantId: number | undefined } | undefined
  readonly last4: string | undefined
  /** As typed, and as it may have been before a mail program or phone changed it. */
  readonly txRefs: readonly string[]
  readonly email: string | undefined
  /** Ways to read it as parts of what is written on a payment. */
  readonly needles: readonly Needle[]
}

export const searchMax = 400
/** More words narrow nothing down. */
const wordsMax = 8

const nothing: Search = {
  number: undefined,
  last4: undefined,
  txRefs: [],
  email: undefined,
  needles: [],
}

const link = /(?<!\d)([1-9]\d{7})(\d{24})(?!\d)/
const wholeEmail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** Alone, or as on a receipt: •••• 4242, **** 4242, ending in 4242. */
const lastDigits = /^(?:[•·*.xX\s-]*|.*\bending(?: in)?\s+)(\d{4})$/u

/** Undefined when nothing is looked for. */
export function readSearch(typed: string): Search | undefined {
  const clean = typed
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zs}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .slice(0, searchMax)
  const text = clean.replace(/^["'“‘«<\s]+/u, '').replace(/["'”’»>,;\s]+$/u, '')
  if (text === '') return undefined
  const packed = text.replaceAll(' ', '')
  const digits = link.exec(packed)
  if (digits) {
    const [, merchant = '', number = ''] = digits
    // A shop may use such a number as its own reference.
    return { ...nothing, number: { number, merchantId: Number(merchant) }, txRefs: variantsOf(clean, text) }
  }
  const address = addressIn(text)
  if (address !== undefined) {
    return {
      ...nothing,
      txRefs: variantsOf(clean, text),
      ...(wholeEmail.test(address) && { email: address }),
      needles: [needleOf(address)],
    }
  }
  const reference = referenceIn(packed)
  return {
    ...nothing,
    txRefs: variantsOf(clean, text),
    number: /^\d{24}$/.test(packed) ? { number: packed, merchantId: undefined } : undefined,
    // From a full card number, which no one should have, only its end is used.
    last4: containsCardNumber(text) ? packed.slice(-4) : lastDigits.exec(text)?.[1],
    needles: [
      needleOf(text),
      ...(reference === undefined ? [] : [needleOf(reference)]),
      ...readAmounts(text).map((term): Needle => ({ parts: [], terms: [term] })),
    ].filter(({ parts, terms }) => parts.length + terms.length > 0),
  }
}

/** Words in any order: "Lovelace, Ada" is "Ada Lovelace". A word of one or two letters must be there as a word. */
function needleOf(text: string): Needle {
  const words = foldText(text)
    .split(' ')
    .map((word) => word.replace(/^[,;]+|[,;]+$/g, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word) || isPart(word))
    .slice(0, wordsMax)
  const parts = words.filter(isPart)
  return { parts, terms: words.filter((word) => !isPart(word)) }
}

/** "Ada Lovelace <ada@example.com>" and "mailto:ada@example.com" hold one. */
function addressIn(text: string): string | undefined {
  const inBrackets = /<([^<>\s]+@[^<>\s]*)$/.exec(text)?.[1]
  const found = inBrackets ?? (text.includes('@') && !text.includes(' ') ? text : undefined)
  return found?.replace(/^mailto:/i, '').replace(/[.?]$/, '')
}

function variantsOf(clean: string, text: string): string[] {
  const packed = text.replaceAll(' ', '')
  return [...new Set([clean, text, packed, packed.toLowerCase(), packed.toUpperCase()])]
}

function referenceIn(packed: string): string | undefined {
  const text = packed.replaceAll('-', '').replace(/^#/, '').toUpperCase()
  return referenceShape.test(text) ? text : undefined
}
