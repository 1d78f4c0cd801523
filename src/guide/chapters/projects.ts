import type { JsonSchema } from '../../platform/http/openapi/openapi.ts'
import { html } from '../../platform/http/html.ts'
import type { ChapterText, Source } from '../book.ts'
import { codeBlock } from '../parts/code.ts'
import { objectSection } from '../parts/fields.ts'
import { operationSection } from '../parts/operation.ts'

export function projectsChapter(source: Source): ChapterText {
  const operations = source.operations.filter((operation) => operation.group === 'Projects')
  const found = operations.find((operation) => operation.id === 'findProject')
  const schema = found?.answers.find((answer) => answer.data)?.data as JsonSchema
  return {
    menu: 'Projects',
    title: 'Projects',
    lead: 'A project is a named collection of your work: a site, a shop, a campaign. Payments may belong to one.',
    sections: [
      {
        id: 'api-key',
        title: 'Take an API key',
        body: html`<p>
            Projects take API keys and no others, and have no test or live mode. To put a payment into a project, send
            <code>project</code>, its id or its name, when you create the payment.
          </p>
          ${codeBlock('Shell', 'export FLORIN_API_KEY="$(florin key create --kind api)"')}`,
      },
      ...operations.map((operation) => operationSection(operation, source, ['Project'])),
      objectSection(schema, 'The project', 'A name is unique among your projects, without regard to case.'),
    ],
  }
}
