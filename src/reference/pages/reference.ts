import { refusalCodes } from '../../errors/refusals.ts'
import { html, type Html } from '../../http/html.ts'
import type { Answer, JsonSchema, Operation } from '../../http/openapi/openapi.ts'

// One page, no script: contents on the left, an operation per section, fields on the left and an example on the
// right.

export function drawReference(operations: readonly Operation[], baseUrl: string): Html {
  const groups = [...new Set(operations.map((operation) => operation.group))]
  return html`<div class="reference">
    <nav aria-label="Contents">
      <a class="wordmark" href="/docs">Florin <span class="quiet">API</span></a>
      ${contents('Start here', [
        ['keys', 'Keys and modes'],
        ['answers', 'Answers'],
      ])}
      ${groups.map((group) =>
        contents(
          group,
          operations.filter((each) => each.group === group).map((each) => [each.id, each.summary]),
        ),
      )}
      ${contents('For programs', [['codes', 'Codes']])}
      <p class="quiet"><a href="/openapi.json">openapi.json</a></p>
    </nav>
    <main>${introduction(baseUrl)} ${operations.map((operation) => drawOperation(operation, baseUrl))}
      ${codeTable()}</main>
  </div>`
}

function contents(title: string, links: [string, string][]): Html {
  return html`<h2>${title}</h2>
    <ul>
      ${links.map(([id, words]) => html`<li><a href="#${id}">${words}</a></li>`)}
    </ul>`
}

function introduction(baseUrl: string): Html {
  return html`<header>
      <h1>Take a payment with two calls</h1>
      <p>
        Create a payment link, send your customer to it, and look the transaction up when we tell you about
        it.
      </p>
    </header>
    <section id="keys">
      <h2>Keys and modes</h2>
      <p>
        Send your secret key as <code>Authorization: Bearer sk_test_…</code>. The key decides: with
        <code>sk_test_…</code> nothing leaves the test network and no money moves,
        <code>sk_live_…</code> is for real networks, of which none is connected yet. Projects take an API key, <code>ak_…</code>.
      </p>
      <pre
        class="command"
      ><code>curl ${baseUrl}/api/transactions -H 'Authorization: Bearer sk_test_…'</code></pre>
    </section>
    <section id="answers">
      <h2>Answers</h2>
      <p>
        Every answer is JSON with <code>status</code>, <code>message</code> and <code>data</code>, and carries
        <code>x-request-id</code>. On failure <code>data</code> is <code>null</code>,
        <code>message</code> names the first rule that failed, <code>code</code> is a stable word for
        programs, and <code>errors</code> lists every failed rule by field.
      </p>
      <p class="note">
        <strong>The envelope speaks of the call, not of the money.</strong> A look-up that works says
        <code>success</code> even when the payment failed. Whether money moved is <code>data.status</code>.
      </p>
    </section>`
}

function codeTable(): Html {
  return html`<section id="codes">
      <h2>Codes</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">code</th>
            <th scope="col">HTTP</th>
            <th scope="col">usual message</th>
          </tr>
        </thead>
        <tbody>
          ${refusalCodes().map(
            ({ code, status, message }) =>
              html`<tr>
                <td><code>${code}</code></td>
                <td class="figures">${status}</td>
                <td>${message}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`
}

function drawOperation(operation: Operation, baseUrl: string): Html {
  const first = operation.answers.find((answer) => answer.example !== undefined && answer.status < 300)
  return html`<section id="${operation.id}" class="operation">
    <div class="words">
      <h2>${operation.summary}</h2>
      <p class="address">
        <strong class="method">${operation.method.toUpperCase()}</strong> <code>${operation.path}</code>
      </p>
      <p>${operation.description}</p>
      ${drawParameters(operation)} ${operation.body && drawFields('Body', operation.body.schema)}
      ${first?.data && drawFields('data', first.data)}
      <h3>Answers</h3>
      <dl class="statuses">
        ${operation.answers.map(
          (answer) =>
            html`<div>
              <dt class="figures">${answer.status}</dt>
              <dd>${answer.description}</dd>
            </div>`,
        )}
      </dl>
    </div>
    <div class="examples">
      ${drawRequest(operation, baseUrl)} ${operation.answers.slice(0, 2).map(drawExample)}
    </div>
  </section>`
}

function drawParameters(operation: Operation): Html | undefined {
  if (!operation.parameters?.length) return undefined
  return html`<h3>Parameters</h3>
    <dl class="fields">
      ${operation.parameters.map((each) =>
        drawField(
          each.name,
          { ...each.schema, description: each.description },
          each.required ?? each.in === 'path',
        ),
      )}
    </dl>`
}

function drawFields(title: string, schema: JsonSchema): Html | undefined {
  const shown = (schema['type'] === 'array' ? schema['items'] : schema) as JsonSchema
  const properties = shown['properties'] as Record<string, JsonSchema> | undefined
  if (!properties) return undefined
  const isBody = title === 'Body'
  const required = isBody ? ((shown['required'] as readonly string[] | undefined) ?? []) : []
  const heading = schema['type'] === 'array' ? `${title}, each item` : title
  return html`<h3>${heading}</h3>
    <dl class="fields">
      ${Object.entries(properties).map(([name, each]) => drawField(name, each, required.includes(name)))}
    </dl>`
}

function drawField(name: string, schema: JsonSchema, required: boolean): Html {
  const description = schema['description'] as string | undefined
  return html`<div>
    <dt><code>${name}</code> <span class="quiet">${typeOf(schema)}${required && ', required'}</span></dt>
    ${description && html`<dd>${description}</dd>`}
  </div>`
}

function typeOf(schema: JsonSchema): string {
  const values = schema['enum'] as readonly string[] | undefined
  if (values) return values.join(' | ')
  const type = [schema['type']].flat().join(' or ')
  const max = schema['maxLength'] as number | undefined
  return max === undefined ? type : `${type}, at most ${max.toLocaleString('en')}`
}

function drawRequest(operation: Operation, baseUrl: string): Html {
  const address = `${operation.server ?? baseUrl}${operation.path.replace('{tx_ref}', 'order-1001').replace('{project}', 'prj_…')}`
  const key = operation.key === 'api' ? 'ak_…' : 'sk_test_…'
  const lines = [
    `curl ${operation.method === 'get' ? '' : `-X ${operation.method.toUpperCase()} `}${address}`,
  ]
  if (operation.key !== 'in the form') lines.push(`  -H 'Authorization: Bearer ${key}'`)
  if (operation.body?.type === 'application/json') {
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(operation.body.example, null, 2)}'`,
    )
  }
  return figure('Request', lines.join(' \\\n'))
}

function drawExample(answer: Answer): Html | undefined {
  if (answer.example === undefined) return undefined
  return figure(`Answer ${answer.status}`, JSON.stringify(answer.example, null, 2))
}

function figure(title: string, code: string): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`
}
