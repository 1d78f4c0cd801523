import { html, type Html } from '../../platform/http/html.ts'
import type { RefusalCode } from '../../platform/errors/refusals.ts'
import type { Answer, JsonSchema, Operation } from '../../platform/http/openapi/openapi.ts'
import type { Section, Source } from '../book.ts'
import { givenOf, keyVariables } from '../samples/sample.ts'
import { samplesOf } from '../samples/samples.ts'
import { readSnippets } from '../snippets/read-snippets.ts'
import { codeBlock, codeInLanguages, jsonBlock } from './code.ts'
import { drawFields, objectId } from './fields.ts'

// One operation as a section: what to send and what comes back on the left, code on the right.

/** Operations with code in every language. */
const written: Readonly<Record<string, string>> = { createPayment: 'create', findTransaction: 'look-up' }

/** `known`: objects with a section of their own, to which fields lead instead of repeating it. */
export function operationSection(operation: Operation, source: Source, known: readonly string[]): Section {
  const success = operation.answers.find((answer) => answer.status < 300)
  const body = html`<div class="operation">
    <div class="words">
      <p class="address">
        <strong class="method">${operation.method.toUpperCase()}</strong> <code>${operation.path}</code>
      </p>
      <p>${operation.description}</p>
      <p class="quiet">${keyWords[operation.key]}</p>
      ${drawParameters(operation, known)}
      ${operation.body && drawFields('Body', operation.body.schema, { known, marksRequired: true })}
      ${success?.data && drawData(success, known)} ${drawStatuses(operation, source)}
    </div>
    <div class="examples">
      ${drawRequest(operation, source)} ${success?.example !== undefined && drawExample(success)}
      ${drawRefusal(operation)}
    </div>
  </div>`
  return { id: operation.id, title: operation.summary, body }
}

function drawExample({ status, example, file }: Answer): Html {
  const title = `Answer ${status}`
  return file !== undefined && typeof example === 'string'
    ? codeBlock(title, example.trimEnd())
    : jsonBlock(title, example)
}

const keyWords: Readonly<Record<Operation['key'], string>> = {
  secret: 'Takes a secret key.',
  api: 'Takes an API key.',
  'in the form': 'The key stands in the form.',
}

function drawParameters({ parameters = [] }: Operation, known: readonly string[]): Html | undefined {
  if (parameters.length === 0) return undefined
  const properties = Object.fromEntries(
    parameters.map((each) => [each.name, { ...each.schema, description: each.description }]),
  )
  const required = parameters.filter((each) => each.required ?? each.in === 'path').map((each) => each.name)
  return drawFields('Parameters', { properties, required }, { known, marksRequired: true })
}

function drawData({ data = {}, beside = {} }: Answer, known: readonly string[]): Html {
  const isList = data['type'] === 'array'
  const item = (isList ? data['items'] : data) as JsonSchema
  const title = (item['title'] ?? '') as string
  const rest = Object.keys(beside).length > 0 && drawFields('Beside data', { properties: beside }, { known })
  if (known.includes(title)) {
    const words = isList ? 'A list of these: ' : 'One of these: '
    return html`<h3>data</h3>
      <p>${words}<a href="#${objectId(title)}">${title}</a>.</p>
      ${rest}`
  }
  return html`${drawFields(isList ? 'data, each item' : 'data', item, { known })} ${rest}`
}

function drawStatuses(operation: Operation, { prefix }: Source): Html {
  const own = operation.answers.filter((answer) => !commonCodes.has(codeOf(answer) ?? ''))
  const common = operation.answers.filter((answer) => commonCodes.has(codeOf(answer) ?? ''))
  return html`<h3>Answers</h3>
    <dl class="statuses">
      ${own.map(
        (answer) =>
          html`<div>
            <dt class="figures">${answer.status}</dt>
            <dd>${answer.description} ${codeLink(codeOf(answer), prefix)}</dd>
          </div>`,
      )}
      <div>
        <dt>any</dt>
        <dd>As other calls: ${common.map((answer) => html`${codeLink(codeOf(answer), prefix)} `)}</dd>
      </div>
    </dl>`
}

/** What the errors chapter says once for all calls. */
const commonCodes: ReadonlySet<string> = new Set<RefusalCode>([
  'unauthorized',
  'live_not_enabled',
  'merchant_suspended',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
])

function codeOf(answer: Answer): string | undefined {
  return (answer.example as { code?: string } | undefined)?.code
}

function codeLink(code: string | undefined, prefix: string): Html | undefined {
  return code === undefined
    ? undefined
    : html`<a href="${prefix}/docs/errors#${code}"><code>${code}</code></a>`
}

function drawRequest(operation: Operation, { baseUrl }: Source): Html | undefined {
  const name = written[operation.id]
  if (operation.key === 'in the form') return undefined
  const snippets = name === undefined ? samplesOf(operation, baseUrl) : readSnippets(name, baseUrl)
  return html`${codeInLanguages(operation.id, 'Request', snippets)}
    <p class="quiet">${drawGiven(operation)}</p>`
}

/** What must be in the environment before it is pasted. */
function drawGiven(operation: Operation): Html {
  const { key } = operation
  const isCreate = operation.id === 'createPayment'
  const given = isCreate
    ? []
    : [...givenOf(operation)].map(([name, meaning]) => html`, <code>${name}</code> (${meaning})`)
  return html`From the environment: <code>${key === 'api' ? keyVariables.api : keyVariables.secret}</code>${given}.`
}

function drawRefusal({ answers }: Operation): Html | undefined {
  const refusal =
    answers.find((answer) => answer.status === 400) ?? answers.find((answer) => answer.status > 400)
  return refusal && jsonBlock(`Answer ${refusal.status}`, refusal.example)
}
