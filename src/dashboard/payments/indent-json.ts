/** Adds lines and indentation only: a number too long for a double stays as it was sent. */
export function indentJson(text: string): string {
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  return tokens
    .map((token, index) => {
      const isEmpty =
        (token === '{' && tokens[index + 1] === '}') || (token === '[' && tokens[index + 1] === ']')
      if (token === '{' || token === '[') {
        if (isEmpty) return token
        depth += 1
        return token + line()
      }
      if (token === '}' || token === ']') {
        const before = tokens[index - 1]
        if ((token === '}' && before === '{') || (token === ']' && before === '[')) return token
        depth -= 1
        return line() + token
      }
      if (token === ',') return token + line()
      return token === ':' ? ': ' : token
    })
    .join('')
}
