import {
  evidenceFiles,
  evidenceLimits,
  evidenceTexts,
  type Evidence,
  type EvidenceFile,
  type EvidenceText,
  type EvidenceType,
} from '../../../core/networks/dispute-replies.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Mistakes } from '../../../dashboard/parts/parts.ts'

// The form's texts and files, and what is wrong with them.

const starts: readonly (readonly [type: EvidenceType, start: Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
]

export function readEvidence(
  fields: FormFields,
  files: ReadonlyMap<string, Buffer>,
): { readonly evidence: Evidence; readonly mistakes: Mistakes } {
  const mistakes: Record<string, string> = {}
  const texts: Partial<Record<EvidenceText, string>> = {}
  for (const name of evidenceTexts) {
    const text = (fields.get(name) ?? '').trim()
    if (text.length > evidenceLimits.textLength)
      mistakes[name] = 'This text is too long: at most 20,000 characters'
    else if (text !== '') texts[name] = text
  }
  const found: EvidenceFile[] = []
  for (const field of evidenceFiles) {
    const bytes = files.get(field)
    if (!bytes || bytes.length === 0) continue
    const type = typeOf(bytes)
    if (type === undefined) mistakes[field] = 'Choose a PDF, PNG or JPEG file'
    else found.push({ field, type, bytes })
  }
  const size = found.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > evidenceLimits.filesBytes)
    mistakes[found[0]?.field ?? 'form'] = 'The files are too large: at most 4.5 MB together'
  const isEmpty = found.length === 0 && Object.keys(texts).length === 0
  if (isEmpty && Object.keys(mistakes).length === 0)
    mistakes['form'] = 'Fill in a field or choose a file. The bank decides by what you send'
  return { evidence: { texts, files: found }, mistakes }
}

/** By its first bytes: names and what a browser says can be wrong. */
function typeOf(bytes: Buffer): EvidenceType | undefined {
  return starts.find(([, start]) => bytes.subarray(0, start.length).equals(start))?.[0]
}
