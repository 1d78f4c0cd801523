import type { Operation } from '../../platform/http/openapi/openapi.ts'
import type { Snippet } from '../snippets/read-snippets.ts'
import { inClients } from './clients.ts'
import { inCurl } from './curl.ts'
import { inNode } from './node.ts'
import { inPhp } from './php.ts'
import { inPython } from './python.ts'
import { sampleOf } from './sample.ts'

/** A call in every language that needs nothing but its interpreter, and with our own clients. A test runs each as it is pasted. */
export function samplesOf(operation: Operation, baseUrl: string): readonly Snippet[] {
  const sample = sampleOf(operation, baseUrl)
  return [
    { language: 'curl', code: inCurl(sample) },
    { language: 'Node', code: inNode(sample) },
    { language: 'PHP', code: inPhp(sample) },
    { language: 'Python', code: inPython(sample) },
    ...inClients(operation, baseUrl),
  ]
}
