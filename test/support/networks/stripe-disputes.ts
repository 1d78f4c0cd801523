import { findProblem, readForm } from './parameters.ts'
import type { ApiAnswer, ApiRequest } from './stand-in.ts'
import { makeId, type Dispute, type StripeBooks } from './stripe-books.ts'
import { missing, refuse, type Parameters } from './stripe-calls.ts'
import { answerDispute, evidenceFileFields } from './stripe-form.ts'

// Answering disputes at Stripe: files are uploaded first, then evidence is set and submitted, once.

const fileBytesMost = 5 * 1024 * 1024
const textMost = 150_000

const starts: readonly (readonly [type: string, start: string])[] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff'],
]

type Part = { readonly name: string; readonly filename: string | undefined; readonly content: string }

/** Every byte as one letter. */
function readParts({ headers, bytes }: ApiRequest): readonly Part[] | undefined {
  const boundary = /^multipart\/form-data; *boundary="?([^";]+)"?$/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return undefined
  const pieces = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return pieces.map((piece) => {
    const [head = '', ...rest] = piece.replace(/^\r\n/, '').split('\r\n\r\n')
    return {
      name: /\bname="([^"]*)"/.exec(head)?.[1] ?? '',
      filename: /\bfilename="([^"]*)"/.exec(head)?.[1],
      content: rest.join('\r\n\r\n').replace(/\r\n$/, ''),
    }
  })
}

export function uploadFile(books: StripeBooks, request: ApiRequest): ApiAnswer {
  const parts = readParts(request)
  if (!parts) return refuse(400, undefined, 'Request Content-Type must be multipart/form-data.')
  const unknown = parts.find(({ name }) => name !== 'purpose' && name !== 'file')
  if (unknown)
    return refuse(400, 'parameter_unknown', `Received unknown parameter: ${unknown.name}`, unknown.name)
  if (parts.find(({ name }) => name === 'purpose')?.content !== 'dispute_evidence')
    return refuse(400, 'parameter_invalid', 'Invalid purpose: must be dispute_evidence', 'purpose')
  const file = parts.find(({ name }) => name === 'file')
  if (file?.filename === undefined)
    return refuse(400, 'parameter_missing', 'Missing required param: file.', 'file')
  const type = starts.find(([, start]) => file.content.startsWith(start))?.[0]
  if (type === undefined)
    return refuse(400, 'invalid_file_type', 'File for key file must be a PDF, JPEG or PNG.', 'file')
  if (file.content.length > fileBytesMost)
    return refuse(400, 'file_too_large', 'File for key file exceeds maximum allowed size of 5 MB.', 'file')
  const made = {
    id: makeId('file'),
    object: 'file',
    created: books.seconds(),
    filename: file.filename,
    purpose: 'dispute_evidence',
    size: file.content.length,
    type,
  } as const
  books.files.set(made.id, made)
  return { status: 200, body: made }
}

/** POST disputes/‹id› and disputes/‹id›/close. */
export function replyToDispute(
  books: StripeBooks,
  request: ApiRequest,
  tell: (type: string, object: object) => void,
): ApiAnswer {
  const [, , , id = '', action = ''] = request.path.split('/')
  const sent = readForm(request.text)
  const problem = findProblem(sent, action === 'close' ? {} : answerDispute)
  if (problem)
    return refuse(400, `parameter_${problem.kind}`, `Invalid ${problem.field}: ${problem.why}`, problem.field)
  const dispute = books.disputes.get(id)
  if (!dispute) return missing('dispute', id)
  if (!dispute.status.endsWith('needs_response'))
    return refuse(
      400,
      'charge_already_disputed',
      'This dispute is already closed or its evidence was submitted.',
    )
  return action === 'close' ? close(dispute, tell) : update(books, dispute, sent, tell)
}

function close(dispute: Dispute, tell: (type: string, object: object) => void): ApiAnswer {
  dispute.status = 'lost'
  tell('charge.dispute.closed', dispute)
  return { status: 200, body: dispute }
}

function update(
  books: StripeBooks,
  dispute: Dispute,
  sent: Parameters,
  tell: (type: string, object: object) => void,
): ApiAnswer {
  if (dispute.evidence_details.due_by <= books.seconds())
    return refuse(400, undefined, 'The deadline to submit evidence for this dispute has passed.')
  const evidence = { ...dispute.evidence, ...(sent['evidence'] as Record<string, string> | undefined) }
  const texts = Object.entries(evidence).filter(([name]) => !evidenceFileFields.includes(name))
  const length = texts.reduce((sum, [, text]) => sum + text.length, 0)
  if (length > textMost) return refuse(400, undefined, `The combined character count exceeds ${textMost}.`)
  const stray = evidenceFileFields.find(
    (name) => evidence[name] !== undefined && !books.files.has(evidence[name]),
  )
  if (stray !== undefined) return missing('file', evidence[stray] ?? '')
  dispute.evidence = evidence
  dispute.metadata = { ...dispute.metadata, ...(sent['metadata'] as Record<string, string> | undefined) }
  if (sent['submit'] === 'true') {
    dispute.evidence_details.submission_count += 1
    dispute.status = dispute.status === 'needs_response' ? 'under_review' : 'warning_under_review'
    tell('charge.dispute.updated', dispute)
  }
  return { status: 200, body: dispute }
}
