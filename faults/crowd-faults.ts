import { setTimeout as pause } from 'node:timers/promises'
import { cards, payOnce, type Shown } from './customer.ts'
import { createOnce, lookUp, mayBeAskedAgain, type CreateRequest } from './merchant.ts'
import type { Act, Fault } from './play.ts'
import { ask } from './stage.ts'

// Nothing breaks here: many want the same thing at once, or the network is slow to say what it did.

const crowd = 50
const triesMax = 600
const betweenTriesMs = 500
let count = 0

export const crowdFaults: readonly Fault[] = [
  {
    name: '50 equal creates at once',
    clients: 4,
    runs: { short: 1, long: 100 },
    async strike(act) {
      const urls = await createTogether(act, act.random.chance(0.5))
      if (new Set(urls).size !== 1) act.breaks('I2', `${new Set(urls).size} checkout links for one tx_ref`)
      act.hit()
    },
  },
  {
    name: '50 pay clicks at once',
    clients: 4,
    runs: { short: 1, long: 100 },
    async strike(act) {
      const [url = ''] = await createTogether(act, false, 1)
      const card = act.random.pick([cards.good, cards.timeOutPaid, cards.timeOutNotPaid])
      await Promise.all(Array.from({ length: crowd }, async () => payOnce(url, card)))
      act.hit()
    },
  },
  {
    name: 'network times out',
    clients: 4,
    runs: { short: 2, long: 100 },
    async strike(act) {
      const [url = ''] = await createTogether(act, false, 1)
      const first = await payClearly(url, act.random.pick([cards.timeOutPaid, cards.timeOutNotPaid]))
      if (first !== 'waiting' && !(await wasUnknown(act, url)))
        act.breaks('I4', `a time-out was shown as ${first}`)
      // Nobody may pay again while the first is unknown.
      const second = await payOnce(url, cards.good)
      if (second !== 'waiting' && second !== 'unclear' && !(await wasUnknown(act, url)))
        act.breaks('I3', `a second try was ${second}`)
      act.hit()
    },
  },
]

/** The control for doubles: the same crowd on a database that has forgotten its rule. */
export const controlOfDoubles: Fault = {
  name: 'control: tx_ref not unique',
  clients: 4,
  runs: { short: 1, long: 3 },
  mustBreak: ['I2'],
  begin: async ({ stage }) =>
    void (await ask(stage.databaseUrl, 'alter table payments drop constraint payments_tx_ref_once')),
  async strike(act) {
    await createTogether(act, false)
    act.hit()
  },
}

/** The links that were answered. Without a key all but the first are told that the tx_ref is taken. */
async function createTogether(act: Act, withKey: boolean, times = crowd): Promise<string[]> {
  count += 1
  const { stage } = act
  const txRef = `crowd-${count}`
  const request = {
    url: stage.server().url,
    key: stage.merchant.testKey,
    idempotencyKey: withKey ? txRef : undefined,
    body: {
      tx_ref: txRef,
      amount: '10.00',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      callback_url: stage.receiver.url,
    },
  }
  const answers = await Promise.all(Array.from({ length: times }, async () => createUnlessBusy(request)))
  for (const answer of answers) {
    const fits = answer?.status === 201 || (answer?.code === 'tx_ref_taken' && !withKey)
    if (!fits) act.breaks('answers', `a create among equals answered ${answer?.status} ${answer?.code}`)
  }
  const made = answers.map((answer) => answer?.checkoutUrl).filter((url) => url !== undefined)
  if (made.length === 0) {
    const seen = await tryAgain(async () => lookUp(request.url, request.key, txRef))
    return seen?.checkoutUrl === undefined ? [] : [seen.checkoutUrl]
  }
  return made
}

async function payClearly(url: string, card: string): Promise<Shown> {
  const shown = await tryAgain(async () => {
    const now = await payOnce(url, card)
    return now === 'unclear' ? undefined : now
  })
  return shown ?? 'unclear'
}

/**
 * Whether the first attempt was unknown and has ended since, before a second was begun. Where the machine stands still between
 * two requests, Florin has asked the network by then, and the page rightly shows what it said.
 */
async function wasUnknown({ stage }: Act, url: string): Promise<boolean> {
  const digits = url.split('/').at(-1) ?? ''
  const [row] = await ask<{ isSo: boolean }>(
    stage.databaseUrl,
    `select exists (select from payment_history as history
       where merchant_id = $1 and number = $2 and attempt = 1 and from_state = 'unknown'
         and not exists (select from attempts where attempts.merchant_id = $1 and attempts.number = $2
           and attempts.attempt > 1 and attempts.started_at < history.at)) as "isSo"`,
    [stage.merchant.id, digits.slice(8)],
  )
  return row?.isSo === true
}

async function createUnlessBusy(request: CreateRequest): ReturnType<typeof createOnce> {
  let answer: Awaited<ReturnType<typeof createOnce>>
  await tryAgain(async () => {
    answer = await createOnce(request)
    return answer === undefined || mayBeAskedAgain(answer.status) ? undefined : true
  })
  return answer
}

/**
 * A stage's limits are short, and a machine with too much to do reaches them without any fault. 503, 408 or no answer means
 * that the same may be asked again.
 */
async function tryAgain<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let left = triesMax; left > 1; left -= 1) {
    const answer = await attempt()
    if (answer !== undefined) return answer
    await pause(betweenTriesMs)
  }
  return attempt()
}
