/**
 * What others wrote, such as the answer of a receiver, must not move the cursor, change the colours or turn the line
 * around, and two texts that differ must look different: invisible characters are spelled.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '\\n'
    return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
  })
}
