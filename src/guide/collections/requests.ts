import type { Operation } from '../../platform/http/openapi/openapi.ts'
import { clientMethods } from '../samples/clients.ts'
import { Fresh, Given, sampleOf, type Value } from '../samples/sample.ts'

// The calls of the API as Postman and Bruno hold them: with variables for what is the reader's own, in an order in which each call finds
// what the ones before it made.

export type CollectionRequest = {
  readonly name: string
  readonly group: string
  readonly description: string
  readonly method: string
  /** With variables: `{{base_url}}/api/transaction/{{tx_ref}}`. */
  readonly url: string
  readonly keyVariable: 'secret_key' | 'api_key'
  readonly query: readonly { readonly name: string; readonly description: string }[]
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body?: string
  /** Drawn before each send: variable → what it begins with. */
  readonly fresh: ReadonlyMap<string, string>
  /** Taken from the answer, for the calls that follow: variable → where in the answer it is. */
  readonly kept: ReadonlyMap<string, string>
  readonly status: number
  readonly isFile: boolean
  /** Refusals a new Florin answers with, as there are no payments or disputes yet. */
  readonly refusals: readonly number[]
}

/** The reader's own: name → value to begin with. Keys are filled in by hand. */
export function variablesOf(baseUrl: string, operations: readonly Operation[]): ReadonlyMap<string, string> {
  const projectsUrl = operations.find(({ key }) => key === 'api')?.server ?? baseUrl
  return new Map([
    ['base_url', baseUrl],
    ['projects_url', projectsUrl],
    ['callback_url', 'https://shop.example.com/ipn'],
    ['secret_key', ''],
    ['api_key', ''],
  ])
}

export const secretVariables = ['secret_key', 'api_key']

/** Forms are sent by browsers, and only `florin listen` listens: both are left out. */
export function collectionRequests(operations: readonly Operation[]): readonly CollectionRequest[] {
  return operations
    .filter(({ id }) => clientMethods[id] !== undefined)
    .map((operation, place) => ({ operation, place }))
    .toSorted((a, b) => turnOf(a.operation.id) - turnOf(b.operation.id) || a.place - b.place)
    .map(({ operation }) => requestOf(operation))
}

/** Within its folder a thing is made first, looked at, changed, and ended last. */
const turns: readonly RegExp[] = [
  /^(create|refund)/,
  /^(list|export)/,
  /^find/,
  /^(change|rename|pause)/,
  /^(?!delete|cancel)/,
]

function turnOf(id: string): number {
  const turn = turns.findIndex((pattern) => pattern.test(id))
  return turn === -1 ? turns.length : turn
}

/** Values that later calls need. */
const keeps: Readonly<Record<string, readonly [string, string]>> = {
  createEndpoint: ['endpoint_id', 'data.id'],
  createProject: ['project', 'data.id'],
  listNotifications: ['notification_id', 'data[0]?.id'],
  listDisputes: ['dispute_id', 'data[0]?.id'],
  listPayouts: ['payout_id', 'data[0]?.id'],
}

/** Calls about something that only a customer or a bank can start. */
const refusedWhenNew: Readonly<Record<string, readonly number[]>> = {
  refundTransaction: [409],
  findRefund: [404],
  findDispute: [404],
  findPayout: [404],
  listPayoutLines: [404],
  resendNotification: [404, 409],
  resumeReceiver: [404],
}

function requestOf(operation: Operation): CollectionRequest {
  const host = operation.key === 'api' ? '{{projects_url}}' : '{{base_url}}'
  const { address, body, method, isFile } = sampleOf({ ...operation, server: '' }, '')
  const fresh = new Map<string, string>()
  const [kept, from] = keeps[operation.id] ?? []
  const { parameters = [] } = operation
  return {
    name: operation.summary,
    group: operation.group,
    description: operation.description,
    method,
    url: host + address.map((part) => (part instanceof Given ? variable(part) : part)).join(''),
    keyVariable: operation.key === 'api' ? 'api_key' : 'secret_key',
    query: parameters.filter((each) => each.in === 'query'),
    headers: parameters
      .filter((each) => each.in === 'header')
      .map(({ name }) => ({ name, value: '{{$guid}}' })),
    ...(body !== undefined && { body: JSON.stringify(written(body, fresh), null, 2) }),
    fresh,
    kept: new Map(kept !== undefined && from !== undefined ? [[kept, from]] : []),
    status: operation.answers.find(({ status }) => status < 300)?.status ?? 200,
    isFile,
    refusals: refusedWhenNew[operation.id] ?? [],
  }
}

function variable({ name }: Given): string {
  return `{{${name.toLowerCase()}}}`
}

function written(value: Value, fresh: Map<string, string>, name = ''): unknown {
  if (value instanceof Given) return variable(value)
  if (value instanceof Fresh) {
    const drawn = name === 'project' ? 'project_name' : name
    fresh.set(drawn, value.prefix)
    return `{{${drawn}}}`
  }
  if (Array.isArray(value)) return value.map((item) => written(item, fresh))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(item, fresh, key)]))
}
