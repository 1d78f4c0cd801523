import { containsCardData } from '../../money/card-data.ts'
import { containsCardNumber, isCvc, speaksOfCard, speaksOfCvc } from '../../money/card-numbers.ts'

const hidden = '"[hidden: card data]"'
const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*"|\d+)/g
const text = /"(?:[^"\\]|\\.)*"/g

/**
 * JSON as it may be shown. Card data is refused when a payment is created; payments from before that rule may hold some. Works on the text,
 * so that every other character stays as the merchant sent it.
 */
export function hideCardData(json: string): string {
  return json
    .replaceAll(member, (whole, key: string, colon: string, value: string) => {
      const plain = value.replaceAll('"', '')
      const isCard = speaksOfCard(key) && containsCardNumber(plain)
      const isCode = speaksOfCvc(key) && isCvc(plain)
      return isCard || isCode ? `"${key}"${colon}${hidden}` : whole
    })
    .replaceAll(text, (whole) => (containsCardData(whole) ? hidden : whole))
}
