import type { Operation } from '../../platform/http/openapi/openapi.ts'
import { collectionRequests, secretVariables, variablesOf, type CollectionRequest } from './requests.ts'

// The API as a collection of Postman, format 2.1. Insomnia, Hoppscotch and Bruno import it too.

export type Collected = {
  readonly version: string
  readonly baseUrl: string
  readonly groups: Readonly<Record<string, string>>
  readonly operations: readonly Operation[]
}

export const howToBegin =
  'Set secret_key (sk_test_…) and, for projects, api_key (ak_…), then run the whole collection or one call. Each call has tests. To refund something, open the checkout_url of a payment, pay with 4242 4242 4242 4242, and send the refund.'

export function makePostman({ version, baseUrl, groups, operations }: Collected): object {
  const requests = collectionRequests(operations)
  return {
    info: {
      name: 'Florin',
      version,
      description: `Florin's API. ${howToBegin}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('secret_key'),
    variable: [...variablesOf(baseUrl, operations)].map(([key, value]) => ({
      key,
      value,
      type: secretVariables.includes(key) ? 'secret' : 'string',
    })),
    item: Object.entries(groups).map(([name, description]) => ({
      name,
      description,
      item: requests.filter(({ group }) => group === name).map(itemOf),
    })),
  }
}

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] }
}

function itemOf(request: CollectionRequest): object {
  const { name, method, url, headers, body, query, description, keyVariable } = request
  const [host = '', ...path] = url.split('/')
  return {
    name,
    request: {
      method,
      ...(keyVariable === 'api_key' && { auth: bearer(keyVariable) }),
      header: [
        { key: 'Accept', value: 'application/json' },
        ...headers.map((header) => ({ key: header.name, value: header.value })),
      ],
      ...(body !== undefined && {
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
      url: {
        raw: url,
        host: [host],
        path,
        query: query.map((each) => ({
          key: each.name,
          value: '',
          description: each.description,
          disabled: true,
        })),
      },
      description,
    },
    event: [
      { listen: 'prerequest', script: { type: 'text/javascript', exec: beforeOf(request) } },
      { listen: 'test', script: { type: 'text/javascript', exec: testsOf(request) } },
    ],
  }
}

function beforeOf({ fresh }: CollectionRequest): string[] {
  return [...fresh].map(([name, prefix]) => `pm.collectionVariables.set('${name}', '${prefix}' + Date.now())`)
}

function testsOf({ status, refusals, isFile, kept }: CollectionRequest): string[] {
  const statuses = [status, ...refusals]
  return [
    `pm.test('answers ${statuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]))`,
    ...(isFile
      ? [`pm.test('is CSV', () => pm.expect(pm.response.headers.get('content-type')).to.include('text/csv'))`]
      : [
          `const answer = pm.response.json()`,
          `pm.test('says how the call went', () => pm.expect(answer.status).to.equal(pm.response.code < 300 ? 'success' : 'failed'))`,
        ]),
    ...[...kept].map(([name, from]) => `pm.collectionVariables.set('${name}', answer.${from} ?? 'none')`),
  ]
}
