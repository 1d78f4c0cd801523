import { howToBegin, type Collected } from './postman.ts'
import { collectionRequests, secretVariables, variablesOf, type CollectionRequest } from './requests.ts'
import { makeZip, type ZipFile } from './zip.ts'

// The API as a folder of Bruno, zipped: a file per call, to unpack, open and keep under version control.

export const brunoEnvironment = 'Florin'

export function makeBruno(collected: Collected): Buffer {
  const { baseUrl, groups, operations } = collected
  const requests = collectionRequests(operations)
  const variables = variablesOf(baseUrl, operations)
  const files: ZipFile[] = [
    {
      name: 'bruno.json',
      text: JSON.stringify({ version: '1', name: 'Florin', type: 'collection' }, null, 2),
    },
    { name: 'collection.bru', text: block('docs', [`# Florin's API`, '', howToBegin]) },
    { name: `environments/${brunoEnvironment}.bru`, text: environmentOf(variables) },
  ]
  for (const [place, [group, description]] of Object.entries(groups).entries()) {
    files.push({
      name: `${group}/folder.bru`,
      text: [block('meta', [`name: ${group}`, `seq: ${place + 1}`]), block('docs', [description])].join('\n'),
    })
    for (const [at, request] of requests.filter((each) => each.group === group).entries())
      files.push({ name: `${group}/${fileName(request.name)}.bru`, text: requestFile(request, at + 1) })
  }
  return makeZip(files.map(({ name, text }) => ({ name: `florin/${name}`, text })))
}

function environmentOf(variables: ReadonlyMap<string, string>): string {
  const open = [...variables].filter(([name]) => !secretVariables.includes(name))
  return `${block(
    'vars',
    open.map(([name, value]) => `${name}: ${value}`),
  )}vars:secret [\n  ${secretVariables.join(',\n  ')}\n]\n`
}

function fileName(name: string): string {
  return name.replaceAll(/[^\w ,.-]/g, '')
}

function requestFile(request: CollectionRequest, place: number): string {
  const { name, method, url, headers, body, query, keyVariable, description } = request
  const before = [...request.fresh].map(
    ([variable, prefix]) => `bru.setVar('${variable}', '${prefix}' + Date.now())`,
  )
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${place}`]),
    block(method.toLowerCase(), [
      `url: ${url}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      'auth: bearer',
    ]),
    query.length > 0 &&
      block(
        'params:query',
        query.map((each) => `~${each.name}: `),
      ),
    block('headers', [
      'Accept: application/json',
      ...headers.map((header) => `${header.name}: ${header.value}`),
    ]),
    block('auth:bearer', [`token: {{${keyVariable}}}`]),
    body !== undefined && block('body:json', body.split('\n')),
    before.length > 0 && block('script:pre-request', before),
    block('tests', testsOf(request)),
    block('docs', [description]),
  ]
    .filter((part) => part !== false)
    .join('\n')
}

function testsOf({ status, refusals, isFile, kept }: CollectionRequest): string[] {
  const statuses = [status, ...refusals]
  return [
    `test('answers ${statuses.join(' or ')}', () => expect(res.getStatus()).to.be.oneOf([${statuses.join(', ')}]))`,
    ...(isFile
      ? [`test('is CSV', () => expect(res.getHeader('content-type')).to.include('text/csv'))`]
      : [
          `const answer = res.getBody()`,
          `test('says how the call went', () => expect(answer.status).to.equal(res.getStatus() < 300 ? 'success' : 'failed'))`,
        ]),
    ...[...kept].map(([name, from]) => `bru.setVar('${name}', answer.${from} ?? 'none')`),
  ]
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`
}
