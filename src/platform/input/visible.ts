/**
 * Other people's text, such as a receiver's answer, must not move the cursor, change the colours or reverse the line,
 * and different texts must look different: invisible characters are escaped.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '\\n'
    return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
  })
}
