import { html, type Html } from '../../platform/http/html.ts'
import type { JsonSchema } from '../../platform/http/openapi/openapi.ts'
import { isOpen } from '../../platform/http/openapi/open-values.ts'
import type { Section } from '../book.ts'

// The fields of a schema, those inside of others included.

export type FieldOptions = {
  /** Objects with a section of their own on the page. */
  readonly known?: readonly string[]
  /** In a request it matters which may be left out. In an answer all are there unless the words say otherwise. */
  readonly marksRequired?: boolean
}

export function drawFields(title: string, schema: JsonSchema, options: FieldOptions = {}): Html {
  return html`<h3>${title}</h3>
    ${fieldList(schema, options)}`
}

export function objectId(title: string): string {
  return title.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase()
}

export function objectSection(schema: JsonSchema, title: string, words: string): Section {
  return {
    id: objectId(String(schema['title'])),
    title,
    body: html`<p>${words}</p>
      ${fieldList(schema, {})}`,
  }
}

function fieldList(schema: JsonSchema, options: FieldOptions): Html {
  const properties = schema['properties'] as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as readonly string[]
  return html`<dl class="fields">
    ${Object.entries(properties).map(([name, each]) =>
      drawField(name, each, options.marksRequired === true && required.includes(name), options),
    )}
  </dl>`
}

function drawField(name: string, schema: JsonSchema, isRequired: boolean, options: FieldOptions): Html {
  const description = schema['description'] as string | undefined
  const inner = (schema['type'] === 'array' ? schema['items'] : schema) as JsonSchema
  const title = (inner['title'] ?? '') as string
  return html`<div>
    <dt>
      <code>${name}</code> <span class="quiet">${typeOf(name, schema, options)}</span>
      ${isRequired && html`<span class="required">required</span>`}
    </dt>
    ${description && html`<dd>${description}</dd>`}
    ${
      options.known?.includes(title)
        ? html`<dd><a href="#${objectId(title)}">${title}</a></dd>`
        : inner['properties'] !== undefined && html`<dd>${fieldList(inner, options)}</dd>`
    }
  </div>`
}

function typeOf(name: string, schema: JsonSchema, { marksRequired }: FieldOptions): string {
  const values = schema['enum'] as readonly unknown[] | undefined
  const type = [schema['type']].flat().join(' or ')
  const fallback = schema['default'] as string | number | undefined
  const parts = [
    values && values.length < 12 ? `one of ${values.join(', ')}` : type,
    values && marksRequired !== true && isOpen(name, values) && 'more may be added',
    'maxLength' in schema && `at most ${Number(schema['maxLength']).toLocaleString('en')}`,
    fallback !== undefined && `${fallback} when left out`,
  ]
  return parts.filter(Boolean).join(', ')
}
