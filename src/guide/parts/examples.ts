import type { Source } from '../book.ts'

/** Answers shown more than once in the guide: those of the operations, which tests compare with real ones. */
function exampleOf({ operations }: Source, id: string): unknown {
  const answer = operations
    .find((operation) => operation.id === id)
    ?.answers.find(({ status }) => status < 300)
  if (answer?.example === undefined) throw new Error(`${id} has no example`)
  return answer.example
}

export const createdExample = (source: Source): unknown => exampleOf(source, 'createPayment')
export const foundExample = (source: Source): unknown => exampleOf(source, 'findTransaction')
