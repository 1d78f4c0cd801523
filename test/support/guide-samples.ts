import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { pauseReceiver } from '../../src/core/notifications/receivers/pause-receiver.ts'
import { languages } from '../../src/guide/snippets/read-snippets.ts'
import { freePort } from './free-port.ts'
import { installJsClient } from './installed-clients.ts'
import { call, openHouse, post, type House } from './house.ts'
import { canRun, runProgram, type Ran } from './languages.ts'
import { newestPayout, payOut } from './pay-out.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { paidPayment, refund, type Paid } from './refunds.ts'
import { saveCard } from './saved-methods.ts'
import { someDispute } from './shop-day.ts'

// The guide of a running Florin, and a developer who pastes its samples: with the keys, the orders and the receiver of a shop in
// the environment, and nothing else.

/** Run by tests of their own: they are functions, and no calls. */
const functions = ['verify', 'sign-form']

/** Calls in a language. Those of florin listen are left out: they wait for something to happen. */
export function callsIn({ samples, operations }: SampleShop, wanted: string): readonly Sample[] {
  return samples.filter(
    ({ name, language }) =>
      language === wanted && !functions.includes(name) && !isListening(operations.get(name)),
  )
}

export function isListening(operation: DescribedOperation | undefined): boolean {
  return operation?.path.includes('/listen') ?? false
}

export type Sample = { readonly name: string; readonly language: string; readonly code: string }

export type SampleShop = {
  readonly house: House
  readonly samples: readonly Sample[]
  readonly operations: ReadonlyMap<string, DescribedOperation>
  run(sample: Sample): Promise<Ran>
  /** One after the other in one process, each a module of its own: to start Node for each took half a minute. */
  runInNode(samples: readonly Sample[]): Promise<Ran>
  close(): Promise<void>
}

export type DescribedOperation = {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string }[]
  readonly servers?: readonly { url: string }[]
  readonly requestBody?: { content: Record<string, { schema: { required?: string[] }; example: object }> }
  readonly responses: Record<string, { content?: Record<string, { examples?: Examples }> }>
}
type Examples = Record<string, { value: { message: string; errors?: object } }>

export async function openSampleShop(): Promise<SampleShop> {
  const port = String(await freePort())
  const house = await openHouse({ settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } })
  const receiver = await openReceiver()
  const folder = mkdtempSync(join(tmpdir(), 'florin-samples-'))
  const paid = await paidPayment(house, 'good', { amount: '1234.50', callback_url: receiver.url })
  const shop = { house, receiver, paid }
  return {
    house,
    samples: await readSamples(house),
    operations: await readOperations(house),
    async run({ name, language, code }) {
      const ending = languages[language as keyof typeof languages]
      const file = `${name}.${ending === 'js' ? 'mjs' : ending}`
      const silent = code.replaceAll(/^curl /gm, 'curl -sS ')
      const text = ending === 'sh' ? silent : code
      return runProgram(ending, folder, { [file]: text }, { environment: await environmentFor(shop, name) })
    },
    async runInNode(samples) {
      const files: Record<string, string> = {}
      const steps: string[] = []
      installJsClient(folder)
      await makeRoom(house, 0) // for all of them at once
      for (const [place, { name, code }] of samples.entries()) {
        files[`${name}-${place}.mjs`] = code
        const environment = JSON.stringify(await environmentFor(shop, name))
        steps.push(`console.log('> ${name}'); Object.assign(process.env, ${environment})`)
        steps.push(`await import('./${name}-${place}.mjs')`)
      }
      return runProgram('js', folder, { 'all.mjs': steps.join('\n'), ...files })
    },
    async close() {
      rmSync(folder, { recursive: true })
      await receiver.close()
      await house.close()
    },
  }
}

/** Whether it runs here; if not, it is noted. */
export function canRunSample({ language }: Sample, context: TestContext): boolean {
  return canRun(languages[language as keyof typeof languages], context)
}

/** All that can be copied in several languages, from every chapter; `name` is the operation, or what it is about. */
async function readSamples(house: House): Promise<Sample[]> {
  const chapters = new Set(['/docs'])
  const samples = new Map<string, Sample>()
  for (const path of chapters) {
    const { text } = await call(house.url + path)
    for (const [, next = ''] of text.matchAll(/href="(\/docs[^"#?.]*)["#?]/g)) chapters.add(next)
    for (const [figure] of text.matchAll(/<figure class="code languages">[^]*?<\/figure>/g)) {
      const name = /name="([^"]*)"/.exec(figure)?.[1] ?? assert.fail('a sample without a name')
      for (const [, language = '', code = ''] of figure.matchAll(
        /<pre[^>]* in ([\w ]+)"><code>([^]*?)<\/code>/g,
      ))
        samples.set(language + code, { name, language, code: asPasted(code) })
    }
  }
  return [...samples.values()]
}

function asPasted(html: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return html.replaceAll(/&(#?)(\w+);/g, (_, hash, word: string) =>
    hash === '#' ? String.fromCodePoint(Number(word)) : (named[word] ?? assert.fail(word)),
  )
}

async function readOperations(house: House): Promise<Map<string, DescribedOperation>> {
  const document = (await (await fetch(`${house.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Omit<DescribedOperation, 'method' | 'path'>>>
  }
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  return new Map(all.map((operation) => [operation.operationId, operation]))
}

type Shop = { readonly house: House; readonly receiver: Receiver; readonly paid: Paid }

/** What the developer has: a call that ends something gets something of its own to end. */
async function environmentFor(
  { house, receiver, paid }: Shop,
  name: string,
): Promise<Record<string, string>> {
  const { secretKey, apiKey } = house
  const common = {
    FLORIN_KEY: secretKey,
    FLORIN_API_KEY: apiKey,
    TX_REF: paid.txRef,
    CALLBACK_URL: receiver.url,
  }
  drawn += 1
  const more = await needs[name]?.({ house, receiver, paid })
  return { ...common, ...more }
}

let drawn = 0

type Need = (shop: Shop) => Promise<Record<string, string>>

const aProject: Need = async ({ house }) => {
  const made = await post(`${house.url}/api/v1/projects`, { project: `Sample ${drawn}` }, house.apiKey)
  return { PROJECT: (made.json.data as { id: string }).id }
}

/** There are ten at most, and the samples of one language have eight. */
async function makeRoom({ url, secretKey: key }: House, countMax = 8): Promise<void> {
  const { data } = (await call(`${url}/api/endpoints`, { key })).json as { data: { id: string }[] }
  if (data.length <= countMax) return
  for (const { id } of data) await call(`${url}/api/endpoints/${id}`, { key, method: 'DELETE' })
}

const anEndpoint: Need = async ({ house, receiver }) => {
  await makeRoom(house)
  const url = `${receiver.url}?of=${drawn}`
  const made = await post(`${house.url}/api/endpoints`, { url, events: ['payment.success'] }, house.secretKey)
  return { ENDPOINT_ID: (made.json.data as { id: string }).id }
}

const aPayout: Need = async ({ house }) => ({
  PAYOUT_ID: (await newestPayout(house)) ?? (await payOut(house)),
})

const aMethod: Need = async ({ house }) => ({ METHOD_ID: (await saveCard(house)).id })

const needs: Readonly<Record<string, Need>> = {
  chargeSavedMethod: aMethod,
  findSavedMethod: aMethod,
  endSavedMethod: aMethod,
  cancelTransaction: async ({ house }) => {
    const TX_REF = `to-cancel-${drawn}`
    const request = { amount: '5', currency: 'GBP', email: 'ada@example.com', first_name: 'Ada' }
    await post(`${house.url}/api/payment`, { ...request, tx_ref: TX_REF }, house.secretKey)
    return { TX_REF }
  },
  findRefund: async ({ house, paid }) => {
    const REFUND_REF = `sample-${drawn}`
    await refund(house, paid, { refund_ref: REFUND_REF, amount: '1.00' })
    return { REFUND_REF }
  },
  findDispute: async ({ house }) => ({ DISPUTE_ID: (await someDispute(house)).id }),
  findPayout: aPayout,
  listPayoutLines: aPayout,
  resendNotification: async ({ house, paid }) => {
    const path = `${house.url}/api/transaction/${paid.txRef}/notifications`
    const { data } = (await call(path, { key: house.secretKey })).json as {
      data: { id: string; kind: string }[]
    }
    return { NOTIFICATION_ID: data.find(({ kind }) => kind === 'ipn')?.id ?? assert.fail('nothing was told') }
  },
  resumeReceiver: async ({ house, receiver }) => {
    const queue = {
      merchantId: house.merchantId,
      mode: 'test',
      origin: new URL(receiver.url).origin,
    } as const
    await pauseReceiver(house.db, queue, bySystem, new Date())
    return {}
  },
  findProject: aProject,
  renameProject: aProject,
  deleteProject: aProject,
  createEndpoint: async ({ house, receiver }) => {
    await makeRoom(house)
    return { CALLBACK_URL: `${receiver.url}?new=${drawn}` }
  },
  findEndpoint: anEndpoint,
  changeEndpoint: anEndpoint,
  deleteEndpoint: anEndpoint,
  pauseEndpoint: anEndpoint,
  testEndpoint: anEndpoint,
  rollEndpointSecret: anEndpoint,
  resumeEndpoint: async (shop) => {
    const given = await anEndpoint(shop)
    await post(`${shop.house.url}/api/endpoints/${given['ENDPOINT_ID']}/pause`, {}, shop.house.secretKey)
    return given
  },
}
