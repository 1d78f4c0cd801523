import { lineNumber } from './operators.ts'

// `// No test: why` at the end of a line, or on a line of its own above it: a bug there does no harm, such as a cache that is smaller. The
// reason stays beside the code, and goes with it.

const mark = /\/\/ No test: \S.*$/

export function isMarked(text: string, at: number): boolean {
  const lines = text.split('\n')
  const index = lineNumber(text, at) - 1
  if (mark.test(lines[index] ?? '')) return true
  // The mark may begin a comment of several lines.
  for (let above = index - 1; /^\s*\/\//.test(lines[above] ?? ''); above -= 1)
    if (/^\s*\/\/ No test: \S/.test(lines[above] ?? '')) return true
  return false
}
