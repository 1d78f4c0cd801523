import type { Context } from './mail-facts.ts'
import type { Email } from './mail-layout.ts'

// E-mails of modules. Their facts are kept like ours, and the module that wrote them turns them into words.

export type ModuleMail = { readonly template: string; readonly [fact: string]: unknown }

export type MailWriter = {
  readonly templates: readonly string[]
  readonly write: (facts: ModuleMail, context: Context) => Email
}

export function makeMailWriter<Facts extends ModuleMail>(
  templates: readonly Facts['template'][],
  write: (facts: Facts, context: Context) => Email,
): MailWriter {
  return { templates, write: (facts, context) => write(facts as Facts, context) }
}
