import type { Config } from '../../platform/settings/config.ts'
import { keyHint } from '../../core/merchants/key-format.ts'
import { callApi } from '../reach/call-api.ts'
import { FailedWhenAsked } from '../reach/asked.ts'
import { givenKey } from '../reach/secret-key.ts'
import { serverTrouble } from '../reach/server-trouble.ts'
import type { Parsed } from '../terminal/arguments.ts'
import { visible } from '../terminal/print.ts'

// The server as anybody sees it: /readyz, /metrics where it is shown, and a key if there is one.

export type ServerStatus = {
  readonly url: string
  readonly state: string
  readonly version?: string | undefined
  readonly key?: string | undefined
  readonly backlog?: Backlog | undefined
  /** Problems that need attention, if the server reports them. */
  readonly warnings?: readonly string[]
  readonly troubles: readonly string[]
}

type Backlog = { readonly waiting: number; readonly paused: number; readonly overdueSeconds: number }

const answerTimeoutMs = 10_000

export async function readServer(config: Config, parsed: Parsed): Promise<ServerStatus> {
  const url = config.BASE_URL
  try {
    const ready = await ask(url, '/readyz')
    const message = messageOf(ready.text)
    if (message === undefined) {
      const trouble = `The server at ${url} is not Florin. Set BASE_URL to Florin's URL.`
      return { url, state: 'not Florin', troubles: [trouble] }
    }
    const metrics = await askOperators(config, '/metrics')
    const details = await askOperators(config, '/readyz')
    const key = await tryKey(config, parsed)
    return {
      url,
      state: ready.ok ? 'ready' : 'not ready',
      version: ready.version,
      backlog: metrics.ok ? readBacklog(metrics.text) : undefined,
      key: key?.state,
      warnings: warningsIn(details.text),
      troubles: [...(ready.ok ? [] : [describeNotReady(url, message, details)]), ...(key?.troubles ?? [])],
    }
  } catch (error) {
    return { url, state: 'no answer', troubles: [serverTrouble(url, error).message] }
  }
}

/** The public is not told why; operators are, where their port can be reached from here. */
function describeNotReady(url: string, message: string, details: Asked): string {
  const why = details.ok ? undefined : messageOf(details.text)
  return `${why === undefined || why === message ? message : `Not ready: ${why}`} (asked ${url})`
}

type Asked = { readonly ok: boolean; readonly text: string; readonly version?: string | undefined }

async function ask(url: string, path: string): Promise<Asked> {
  const answer = await fetch(url + path, { signal: AbortSignal.timeout(answerTimeoutMs) })
  const version = answer.headers.get('florin-version')
  return {
    ok: answer.ok,
    text: await answer.text(),
    version: version === null ? undefined : visible(version),
  }
}

/** From its own port when there is one, which may be out of reach from here. */
async function askOperators(config: Config, path: string): Promise<Asked> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config
  if (port === 0) return ask(config.BASE_URL, path)
  return ask(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, path).catch(() => ({
    ok: false,
    text: '',
  }))
}

function warningsIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: { warnings?: unknown } }
    const found = data?.warnings
    return Array.isArray(found) ? found.map((warning) => visible(String(warning))) : []
  } catch {
    return []
  }
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? visible(message) : undefined
  } catch {
    return undefined
  }
}

function readBacklog(text: string): Backlog | undefined {
  const gauge = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  const waiting = gauge('florin_deliveries_waiting')
  const backlog = {
    waiting,
    paused: gauge('florin_deliveries_paused'),
    overdueSeconds: gauge('florin_deliveries_overdue_seconds'),
  }
  return Number.isFinite(waiting) ? backlog : undefined
}

async function tryKey(
  config: Config,
  parsed: Parsed,
): Promise<{ state: string; troubles: string[] } | undefined> {
  const given = givenKey(config, parsed)
  if (given === undefined) return undefined
  const hint = keyHint(given.key)
  try {
    await callApi({ baseUrl: config.BASE_URL, key: given.key }, '/api/transactions?limit=1')
    return { state: `${hint} works`, troubles: [] }
  } catch (error) {
    const { message } = (error instanceof FailedWhenAsked ? error.cause : error) as Error
    return {
      state: `${hint} is refused`,
      troubles: [`${given.from}: ${message} (asked ${config.BASE_URL})`],
    }
  }
}
