import { randomBytes } from 'node:crypto'
import { SpanStatusCode, type Attributes, type SpanKind, type SpanStatus } from '@opentelemetry/api'

// Spans to a collector by OTLP over HTTP, as JSON. Some of them at a time, never more than fit into memory, and what can't
// be sent is dropped: a collector that is away must not be noticed by anybody who pays.

export type EndedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Attributes
  readonly status: SpanStatus
}

export type Exporter = { add(span: EndedSpan): void; readonly dropped: number; close(): Promise<void> }

const spansMax = 4_096
const batchMax = 512
const everyMs = 2_000
const timeoutMs = 10_000

export function makeOtlpExporter(url: string, resource: Attributes): Exporter {
  const address = /\/v1\/traces\/?$/.test(url) ? url : `${url.replace(/\/+$/, '')}/v1/traces`
  let waiting: EndedSpan[] = []
  let sending: Promise<void> | undefined
  let dropped = 0

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(batch, resource)),
        signal: AbortSignal.timeout(timeoutMs),
      }).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.ok !== true) dropped += batch.length
    }
  }

  async function flush(): Promise<void> {
    sending ??= send().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void flush(), everyMs).unref()
  return {
    add(span) {
      if (waiting.length >= spansMax) dropped += 1
      else waiting.push(span)
    },
    get dropped() {
      return dropped
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

export function drawId(bytes: 8 | 16): string {
  return randomBytes(bytes).toString('hex')
}

function requestOf(spans: readonly EndedSpan[], resource: Attributes) {
  return {
    resourceSpans: [
      {
        resource: { attributes: listOf(resource) },
        scopeSpans: [{ scope: { name: 'florin' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf(span: EndedSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    // OTLP counts from 1.
    kind: span.kind + 1,
    startTimeUnixNano: String(span.startNs),
    endTimeUnixNano: String(span.endNs),
    attributes: listOf(span.attributes),
    status: span.status.code === SpanStatusCode.UNSET ? {} : span.status,
  }
}

function listOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
  }))
}
