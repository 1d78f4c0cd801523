import type { Source } from '../book.ts'

/** Answers that stand in the guide more than once: those of the operations, which tests hold against real ones. */
function exampleOf({ operations }: Source, id: string): unknown {
  const answer = operations
    .find((operation) => operation.id === id)
    ?.answers.find(({ status }) => status < 300)
  if (answer?.example === undefined) throw new Error(`${id} has no example`)
  return answer.example
}

export const createdExample = (source: Source): unknown => exampleOf(source, 'createPayment')
export const foundExample = (source: Source): unknown => exampleOf(source, 'findTransaction')
