import { containsCardData } from '../../platform/money/card-data.ts'
import { containsCardNumber, isCvc, speaksOfCard, speaksOfCvc } from '../../platform/money/card-numbers.ts'

const hidden = '"[hidden: card data]"'
// A string alone is matched too: a search that began inside it would read it once more for each quote in it.
const member = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)("(?:[^"\\]|\\.)*"|\d+))?/g
const text = /"(?:[^"\\]|\\.)*"/g

/**
 * Hides card data in JSON. New payments can't contain any; payments from before that rule may. Works on the text, so every
 * other character stays as the merchant sent it.
 */
export function hideCardData(json: string): string {
  return json
    .replaceAll(member, (whole, key: string, colon?: string, value = '') => {
      const plain = value.replaceAll('"', '')
      const isCard = speaksOfCard(key) && containsCardNumber(plain)
      const isCode = speaksOfCvc(key) && isCvc(plain)
      return isCard || isCode ? `"${key}"${colon}${hidden}` : whole
    })
    .replaceAll(text, (whole) => (containsCardData(whole) ? hidden : whole))
}
