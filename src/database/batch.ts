import { inSharedTransaction, isAway, sqlState, type Database, type Transaction } from './database.ts'

// Many callers of one merchant share one statement and one commit. A caller is sent at once when nothing is under way;
// those who arrive meanwhile are collected and sent together as the next batch. So nobody waits on a quiet server, and a
// busy one pays one round trip and one flush to disk for many.
//
// No statement is shared by two merchants. But of fifty merchants with a caller each nobody would have anybody to share
// with, so the statements of several may leave in one write and end in one commit: a company. Whatever goes wrong in it,
// each of its merchants is then sent alone: what fails or hangs for one is nobody else's.
//
// One bad row must not fail the others of its batch: when a batch fails with an error of the data, it is halved, and the
// halves run by themselves, until the bad row is alone. Among 128 rows that costs 14 more statements, not 128.

export type MerchantBatch<Item, Result> = (merchantId: number, item: Item) => Promise<Result>

export type MerchantBatchOptions<Item, Result> = {
  readonly maxSize: number
  /**
   * Batches of one merchant under way at once. While some are, another is sent only when it has as many items as all of
   * those together: many small batches cost the database more than a few large ones. If a batch is stuck, for example on a
   * lock, the others go on past it.
   */
  readonly maxInFlight: number
  /** Batches of all merchants under way at once: waiting here is cheaper than waiting for a connection. */
  readonly maxInAll?: number
  /** Results in the order of the items. In a company all statements must go to `tx`. */
  readonly run: (
    merchantId: number,
    items: readonly Item[],
    tx: Transaction | undefined,
  ) => Promise<readonly Result[]>
  /**
   * True when the error is about the data of some item, so that trying the others without it can help; when left out, what
   * the database refused is.
   */
  readonly isAboutData?: (error: unknown) => boolean
  /** Where merchants share commits. Without it, or for an item that must not, each goes alone. */
  readonly company?: Database
  readonly mayJoin?: (item: Item) => boolean
}

const maxInAllUsually = 4
/** A batch that takes longer, usually a few milliseconds, no longer counts among those of all merchants. */
export const stuckMs = 250
/** A merchant with more callers has company enough in these. */
const fewCallers = 16
const companySizeMax = 100
const companiesMax = 2

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** The callers of one merchant. */
type Callers<Item, Result> = {
  readonly merchantId: number
  readonly waiting: Waiting<Item, Result>[]
  inFlight: number
  travelling: number
  /** The company that some of them travel in, or travelled in last. */
  company?: symbol
}

/** Those of one merchant who travel together. */
type Party<Item, Result> = {
  readonly own: Callers<Item, Result>
  readonly members: readonly Waiting<Item, Result>[]
}

export function makeMerchantBatch<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
): MerchantBatch<Item, Result> {
  const station = new Station(options)
  return async (merchantId, item) =>
    new Promise<Result>((resolve, reject) => station.enter(merchantId, { item, resolve, reject }))
}

/** Where callers wait, and from where they leave. */
class Station<Item, Result> {
  readonly #options: MerchantBatchOptions<Item, Result>
  /** In the order of their turns: whoever had one goes to the end. A merchant is here while anybody waits or travels. */
  readonly #merchants = new Map<number, Callers<Item, Result>>()
  /** What is under way, and how many travel with it. */
  readonly #alone = new Map<symbol, number>()
  readonly #companies = new Map<symbol, number>()
  #isScheduled = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: MerchantBatchOptions<Item, Result>) {
    this.#options = options
  }

  enter(merchantId: number, caller: Waiting<Item, Result>): void {
    const own = this.#merchants.get(merchantId) ?? { merchantId, waiting: [], inFlight: 0, travelling: 0 }
    if (own.inFlight === 0 && own.waiting.length === 0) this.#merchants.set(merchantId, own)
    own.waiting.push(caller)
    if (this.#isScheduled) return
    this.#isScheduled = true
    // Once Node has read the requests that have arrived by now, so that they share a batch; a timer would add a delay.
    setImmediate(() => {
      this.#isScheduled = false
      this.#send()
    })
  }

  #send(): void {
    const { maxInAll = maxInAllUsually } = this.#options
    const joining: Callers<Item, Result>[] = []
    for (const own of this.#merchants.values()) {
      if (!this.#mayLeave(own)) continue
      if (this.#joins(own)) joining.push(own)
      else if (this.#alone.size < maxInAll) this.#leaveAlone(own)
      else this.#watchForStuck()
    }
    for (let from = 0; from < joining.length; from += companySizeMax) {
      this.#leaveTogether(joining.slice(from, from + companySizeMax))
    }
  }

  /** Who has callers in a company waits for the next one: alone they would cost as much as that. Not if it is stuck. */
  #mayLeave({ waiting, inFlight, travelling, company }: Callers<Item, Result>): boolean {
    if (waiting.length === 0 || inFlight >= this.#options.maxInFlight) return false
    if (company !== undefined && this.#companies.has(company)) {
      this.#watchForStuck()
      return false
    }
    return waiting.length >= Math.min(travelling, this.#options.maxSize)
  }

  /** Who has a batch under way goes past it alone: it may be stuck, and so would be the company. */
  #joins({ waiting, inFlight }: Callers<Item, Result>): boolean {
    const { company, mayJoin = () => true } = this.#options
    if (!company?.sharesCommits || inFlight > 0 || waiting.length > fewCallers) return false
    return waiting.every(({ item }) => mayJoin(item))
  }

  #leaveAlone(own: Callers<Item, Result>): void {
    const place = Symbol('alone')
    const party = this.#depart(own)
    this.#alone.set(place, party.members.length)
    void sendAll(this.#options, party).finally(() => {
      this.#alone.delete(place)
      this.#arrive(party)
      this.#send()
    })
  }

  /** The rule of one merchant's batches: a second leaves when it is as large as those before it. */
  #leaveTogether(leaving: readonly Callers<Item, Result>[]): void {
    const size = sum(leaving.map(({ waiting }) => waiting.length))
    const isSmall = size < Math.min(sum([...this.#companies.values()]), companySizeMax)
    if (isSmall || this.#companies.size >= companiesMax) return this.#watchForStuck()
    const place = Symbol('company')
    this.#companies.set(place, size)
    const parties = leaving.map((own) => this.#depart(own))
    for (const own of leaving) own.company = place
    void sendCompany(this.#options, parties, (party) => this.#arrive(party)).finally(() => {
      this.#companies.delete(place)
      this.#send()
    })
  }

  #depart(own: Callers<Item, Result>): Party<Item, Result> {
    const members = own.waiting.splice(0, this.#options.maxSize)
    own.inFlight += 1
    own.travelling += members.length
    this.#merchants.delete(own.merchantId)
    this.#merchants.set(own.merchantId, own)
    return { own, members }
  }

  #arrive({ own, members }: Party<Item, Result>): void {
    own.inFlight -= 1
    own.travelling -= members.length
    if (own.inFlight === 0 && own.waiting.length === 0) this.#merchants.delete(own.merchantId)
  }

  /** A merchant whose rows are locked, or whose node of a cluster hangs, must not keep the places of all others. */
  #watchForStuck(): void {
    if (this.#watch !== undefined) return
    const now = [...this.#alone.keys(), ...this.#companies.keys()]
    this.#watch = setTimeout(() => {
      this.#watch = undefined
      for (const place of now) {
        this.#alone.delete(place)
        this.#companies.delete(place)
      }
      this.#send()
    }, stuckMs).unref()
  }
}

/** Ends when the company does; those who have to go on alone are not waited for. */
async function sendCompany<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  parties: readonly Party<Item, Result>[],
  arrived: (party: Party<Item, Result>) => void,
): Promise<void> {
  const { company } = options
  if (!company || parties.length === 1) return sendEach(options, parties, arrived)
  // In one order, so that two companies with merchants in common never wait for each other.
  const inOrder = parties.toSorted((one, other) => one.own.merchantId - other.own.merchantId)
  try {
    const works = inOrder.map(
      (party) => async (tx: Transaction) => runOf(options, party.own, party.members, tx),
    )
    const results = await inSharedTransaction(company, works)
    for (const [index, party] of inOrder.entries()) {
      resolveAll(party.members, results[index] ?? [])
      arrived(party)
    }
  } catch (error) {
    if (isAway(error)) {
      for (const party of inOrder) {
        rejectAll(party.members, error)
        arrived(party)
      }
    } else void sendEach(options, inOrder, arrived)
  }
}

async function sendEach<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  parties: readonly Party<Item, Result>[],
  arrived: (party: Party<Item, Result>) => void,
): Promise<void> {
  const left = [...parties]
  const takeTurns = async (): Promise<void> => {
    for (let party = left.shift(); party; party = left.shift()) {
      await sendAll(options, party)
      arrived(party)
    }
  }
  await Promise.all(Array.from({ length: maxInAllUsually }, takeTurns))
}

async function sendAll<Item, Result>(
  options: MerchantBatchOptions<Item, Result>,
  { own, members }: Party<Item, Result>,
): Promise<void> {
  const { isAboutData = wasRefused } = options
  const groups = [members]
  for (let group = groups.shift(); group; group = groups.shift()) {
    try {
      resolveAll(group, await runOf(options, own, group, undefined))
    } catch (error) {
      if (!isAboutData(error)) return rejectAll([group, ...groups].flat(), error)
      if (group.length === 1) rejectAll(group, error)
      else groups.unshift(...halves(group))
    }
  }
}

function wasRefused(error: unknown): boolean {
  return sqlState(error) !== undefined
}

async function runOf<Item, Result>(
  { run, company }: MerchantBatchOptions<Item, Result>,
  { merchantId }: Callers<Item, Result>,
  members: readonly Waiting<Item, Result>[],
  tx: Transaction | undefined,
): Promise<readonly Result[]> {
  const items = members.map(({ item }) => item)
  company?.observe?.batch(items.length)
  const results = await run(merchantId, items, tx)
  if (results.length !== members.length) throw new Error('A batch gave too few or too many results')
  return results
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function halves<Member>(group: readonly Member[]): [readonly Member[], readonly Member[]] {
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)]
}

function resolveAll<Item, Result>(
  members: readonly Waiting<Item, Result>[],
  results: readonly Result[],
): void {
  for (const [index, { resolve }] of members.entries()) resolve(results[index] as Result)
}

function rejectAll(members: readonly { reject: (error: unknown) => void }[], error: unknown): void {
  for (const member of members) member.reject(error)
}
