import { containsCardNumber } from '../../money/card-numbers.ts'
import { referenceShape } from '../create-payment.ts'

// What a hurried person pasted: the payment numbers, references, digits, addresses or names it may be. A text may be
// several of them; each is searched for.

export type Search = {
  /** From a checkout link. `merchantId` if the text names one. */
  readonly number: { readonly number: string; readonly merchantId: number | undefined } | undefined
  readonly reference: string | undefined
  readonly last4: string | undefined
  /** As typed, and as it may have been before a mail program or phone changed it. */
  readonly txRefs: readonly string[]
  /** How a tx_ref may begin. */
  readonly txRefStart: string | undefined
  readonly email: string | undefined
  readonly emailStart: string | undefined
  /** Ways to read it as the beginnings of a surname and a first name. */
  readonly names: readonly { readonly last: string; readonly first: string }[]
}

export const searchMax = 400
/** Fewer letters are the beginning of too much. */
const startMin = 3

const nothing: Search = {
  number: undefined,
  reference: undefined,
  last4: undefined,
  txRefs: [],
  txRefStart: undefined,
  email: undefined,
  emailStart: undefined,
  names: [],
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
      emailStart: address,
    }
  }
  const isLong = text.length >= startMin
  return {
    ...nothing,
    txRefs: variantsOf(clean, text),
    number: /^\d{24}$/.test(packed) ? { number: packed, merchantId: undefined } : undefined,
    reference: referenceIn(packed),
    // From a full card number, which no one should have, only its end is used.
    last4: containsCardNumber(text) ? packed.slice(-4) : lastDigits.exec(text)?.[1],
    txRefStart: isLong ? text : undefined,
    emailStart: isLong && text === packed ? text : undefined,
    names: isLong ? namesIn(text) : [],
  }
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

/** A surname may have several words, and may come first. */
function namesIn(text: string): { last: string; first: string }[] {
  const words = text.replaceAll(',', ' ').split(' ').filter(Boolean)
  const all = words.join(' ')
  const splits = words.slice(1).flatMap((_, index) => {
    const left = words.slice(0, index + 1).join(' ')
    const right = words.slice(index + 1).join(' ')
    return [
      { last: right, first: left },
      { last: left, first: right },
    ]
  })
  return [{ last: all, first: '' }, ...splits.slice(0, splitsMax)]
}

const splitsMax = 6
