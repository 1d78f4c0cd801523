import type { Operation } from '../../platform/http/openapi/openapi.ts'

// A call as code that runs when it is pasted. What the developer has (a key, a tx_ref) comes from the environment; what must be
// new every time is drawn when the code runs. Nothing in it has to be replaced by hand.

/** From the environment. */
export class Given {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** New whenever the code runs: begins with this. */
export class Fresh {
  readonly prefix: string
  constructor(prefix: string) {
    this.prefix = prefix
  }
}

export type Value = string | number | boolean | null | Given | Fresh | Value[] | { [name: string]: Value }

export type Sample = {
  readonly method: string
  /** Text, and what is percent-encoded in between. */
  readonly address: readonly (string | Given)[]
  readonly key: string
  readonly body?: Value
  /** The answer is a file and no JSON. */
  readonly isFile: boolean
}

export const keyVariables = { secret: 'FLORIN_KEY', api: 'FLORIN_API_KEY' } as const

export function sampleOf(operation: Operation, baseUrl: string): Sample {
  const { method, key, body, answers } = operation
  if (key === 'in the form') throw new Error(`${operation.id} is sent by a browser`)
  return {
    method: method.toUpperCase(),
    address: addressOf(operation, operation.server ?? baseUrl),
    key: keyVariables[key],
    ...(body && { body: valueOf(body.example, operation) }),
    isFile: answers.some(({ file }) => file !== undefined),
  }
}

/** A sample's environment variables besides the key: name → meaning. */
export function givenOf(operation: Operation): ReadonlyMap<string, string> {
  const names = addressOf(operation, '').filter((part) => part instanceof Given)
  const given = new Map(names.map(({ name }) => [name, meanings[name] ?? 'something of yours']))
  if (JSON.stringify(operation.body?.example ?? {}).includes(receiver))
    given.set('CALLBACK_URL', meanings['CALLBACK_URL'] ?? '')
  return given
}

const meanings: Readonly<Record<string, string>> = {
  TX_REF: 'the tx_ref of a payment of yours',
  REFUND_REF: 'the refund_ref of a refund of yours',
  METHOD_ID: 'the id of a saved method',
  DISPUTE_ID: 'the id of a dispute',
  PAYOUT_ID: 'the id of a payout',
  NOTIFICATION_ID: 'the id of one of its notifications',
  ENDPOINT_ID: 'the id of an endpoint of yours',
  PROJECT: 'the id of a project of yours',
  CALLBACK_URL: 'the address of your receiver',
}

function addressOf({ path }: Operation, server: string): (string | Given)[] {
  // Text and names take turns.
  const parts = (server + path).split(/\{(\w+)\}/)
  return parts
    .map((part, place) => (place % 2 === 0 ? part : new Given(variableOf(part, parts[place - 1] ?? ''))))
    .filter((part) => part !== '')
}

/** `{tx_ref}` is TX_REF, and `{id}` behind /disputes/ is DISPUTE_ID. */
function variableOf(name: string, before: string): string {
  const of = /(\w+?)s?\/$/.exec(before)?.[1] ?? ''
  return (name === 'id' ? `${of}_id` : name).toUpperCase()
}

/** In examples; who pastes has another. */
const receiver = 'https://shop.example.com'

function valueOf(example: unknown, operation: Operation, name = ''): Value {
  if (Array.isArray(example)) return example.map((item) => valueOf(item, operation))
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, valueOf(value, operation, key)]),
    )
  if (typeof example !== 'string') return example as number | boolean | null
  if (example.startsWith(receiver)) return new Given('CALLBACK_URL')
  if (name === 'tx_ref' || name === 'refund_ref') return new Fresh(example.replace(/\d+$/, ''))
  return name === 'project' && operation.group === 'Projects' ? new Fresh(`${example} `) : example
}
