import { lineNumber, type Mutant } from './operators.ts'

// Where a bug does no harm, such as a smaller cache, the source says so: `// No test: why` at the end of the line or above it. A part of a
// statement is quoted above the statement: `// No test of "state = 'waiting'": why`. The reason stays beside the code, and goes with it.

export function isMarked(text: string, { from, to }: Pick<Mutant, 'from' | 'to'>): boolean {
  const lines = text.split('\n')
  const index = lineNumber(text, from) - 1
  if (/\/\/ No test: \S/.test(lines[index] ?? '')) return true
  if (commentsAbove(lines, index).some((comment) => /^\/\/ No test: \S/.test(comment))) return true
  const statement = text.lastIndexOf('sql`', from)
  if (statement === -1) return false
  const changed = text.slice(from, to).replaceAll(/\s+/g, ' ').trim()
  return commentsAbove(lines, lineNumber(text, statement) - 1).some((comment) => {
    const [, part] = /^\/\/ No test of "(.+)": \S/.exec(comment) ?? []
    return part !== undefined && changed.startsWith(part)
  })
}

function commentsAbove(lines: readonly string[], index: number): string[] {
  const comments = []
  for (let above = index - 1; /^\s*\/\//.test(lines[above] ?? ''); above -= 1)
    comments.push((lines[above] ?? '').trim())
  return comments
}
