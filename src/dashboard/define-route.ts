import { Refusal } from '../platform/errors/refusals.ts'
import type { Right } from './people/rights.ts'
import type { Answer, Ask, Content, HalfAsk, MemberAsk, NavPlace, PersonAsk, Route } from './ask.ts'
import { mistakesOf, type Mistakes } from './parts/parts.ts'

// Defines routes, with who can open them first. Paths are below /dashboard.

type Method = Route['method']
type Run<A> = (ask: A) => Promise<Answer> | Answer
type Options = {
  readonly isFresh?: boolean
  readonly setsFirstFactor?: true
  readonly nav?: NavPlace
  readonly takesFiles?: number
}

export function forAnyone(method: Method, path: string, run: Run<Ask>): Route {
  return { method, path, access: 'anyone', isFresh: false, run }
}

/** Between the password and the second factor. */
export function forHalf(method: Method, path: string, run: Run<HalfAsk>): Route {
  // No test: no one is signed in yet who could prove anything
  return { method, path, access: 'half', isFresh: false, run }
}

export function forPerson(method: Method, path: string, run: Run<PersonAsk>, options: Options = {}): Route {
  const { isFresh = false, setsFirstFactor } = options
  return { method, path, access: 'person', isFresh, run, ...(setsFirstFactor && { setsFirstFactor }) }
}

export function forOperator(method: Method, path: string, run: Run<PersonAsk>, options: Options = {}): Route {
  return { method, path, access: 'operator', isFresh: options.isFresh ?? false, run }
}

/** A page of one merchant in one mode. `path` is below those two. */
export function forMember(
  method: Method,
  path: string,
  right: Right,
  run: Run<MemberAsk>,
  { isFresh = false, nav, takesFiles }: Options = {},
): Route {
  const full = `/:merchant/:mode${path}`
  return {
    method,
    path: full,
    access: 'member',
    right,
    isFresh,
    run,
    ...(nav && { nav }),
    ...(takesFiles !== undefined && { takesFiles }),
  }
}

export function show(content: Content, status = 200): Answer {
  return { kind: 'page', content, status }
}

export function go(to: string): Extract<Answer, { kind: 'go' }> {
  return { kind: 'go', to }
}

/** Shows the form again with the mistakes that `work` refused. */
export async function orShowMistakes(
  work: () => Promise<Answer>,
  draw: (mistakes: Mistakes) => Promise<Content> | Content,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error
    return show(await draw(mistakesOf(error.errors)), 400)
  }
}

/** As long as a node of a cluster that did not answer is left alone. */
const laterSeconds = 15

/** A page that can't be shown right now. */
export function showLater(content: Content): Answer {
  return { kind: 'page', content, status: 503, headers: { 'retry-after': String(laterSeconds) } }
}

/** The page again with status 429 and Retry-After. */
export function showWait(content: Content, seconds: number): Answer {
  return { kind: 'page', content, status: 429, headers: { 'retry-after': String(seconds) } }
}

export function describeWait(seconds: number): Mistakes {
  const minutes = Math.ceil(seconds / 60)
  const time = seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${minutes} minutes`
  return { form: `Too many attempts. Wait ${time}, then try again.` }
}
