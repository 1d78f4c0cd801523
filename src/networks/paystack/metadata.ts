// Metadata is an object on a page and, by Paystack's specification, JSON in a text on a charge of a saved card. Answers
// repeat it either way.

export function readText(metadata: unknown): unknown {
  if (typeof metadata !== 'string') return metadata
  try {
    return JSON.parse(metadata)
  } catch {
    // Another program's text.
    return undefined
  }
}
