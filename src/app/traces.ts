import { AsyncLocalStorage } from 'node:async_hooks'
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type AttributeValue,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
} from '@opentelemetry/api'
import type { DatabaseObserver } from '../platform/database/database.ts'
import type { Server } from '../platform/http/server.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { drawId, makeOtlpExporter, type Exporter } from './otlp.ts'

// A request in OpenTelemetry: the request, its statements, its notification. Only what is also logged: route patterns,
// the text of statements without values, hosts of receivers.

export type Traces = {
  readonly statement: NonNullable<DatabaseObserver['statement']>
  addTo(server: Server): void
  wrap(outbound: Outbound): Outbound
  close(): Promise<void>
}

export function makeTraces(url: string, resource: Attributes): Traces {
  const exporter = makeOtlpExporter(url, resource)
  context.setGlobalContextManager(makeContextManager())
  trace.setGlobalTracerProvider({ getTracer: () => makeTracer(exporter) })
  const tracer = trace.getTracer('florin')
  return {
    statement(texts) {
      // Statements of jobs that look for work every second would bury the rest.
      if (trace.getActiveSpan() === undefined) return () => {}
      const text = texts.map((one) => one.replaceAll(/\s+/g, ' ').trim()).join('; ')
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2_000) }
      const span = tracer.startSpan(text.split(' ', 1)[0] ?? 'statement', {
        kind: SpanKind.CLIENT,
        attributes,
      })
      return (error) => end(span, error)
    },
    addTo(server) {
      server.addHook('onRequest', (request, reply, done) => {
        const { method, url: route = 'none' } = request.routeOptions
        const attributes = {
          'http.request.method': request.method,
          'http.route': route,
          'request.id': request.id,
        }
        const name = `${Array.isArray(method) ? request.method : (method ?? request.method)} ${route}`
        const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, root: true })
        reply.raw.once('close', () => {
          span.setAttribute('http.response.status_code', reply.statusCode)
          end(span, reply.statusCode >= 500 ? new Error(String(reply.statusCode)) : undefined)
        })
        context.with(trace.setSpan(context.active(), span), done)
      })
    },
    wrap: (outbound) => ({
      ...outbound,
      async post(call) {
        const attributes = { 'server.address': URL.parse(call.url)?.host ?? '' }
        const span = tracer.startSpan('IPN', { kind: SpanKind.CLIENT, attributes })
        const { traceId, spanId } = span.spanContext()
        const headers = { ...call.headers, traceparent: `00-${traceId}-${spanId}-01` }
        const result = await outbound.post({ ...call, headers })
        if (result.status !== undefined) span.setAttribute('http.response.status_code', result.status)
        end(span, result.error === undefined ? undefined : new Error(result.error))
        return result
      },
    }),
    close: () => exporter.close(),
  }
}

function end(span: Span, error: unknown): void {
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

function makeContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, thisArg, ...args) => storage.run(active, () => work.apply(thisArg, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

function makeTracer(exporter: Exporter): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, active: Context = context.active()): Span =>
    new OwnSpan(name, options, options.root === true ? undefined : trace.getSpanContext(active), exporter)
  return {
    startSpan,
    startActiveSpan: () => {
      throw new Error('Florin makes spans active by itself')
    },
  }
}

type ParentSpan = { readonly traceId: string; readonly spanId: string }

class OwnSpan implements Span {
  readonly #exporter: Exporter
  readonly #name: string
  readonly #options: SpanOptions
  readonly #parent: ParentSpan | undefined
  readonly #ids: ParentSpan
  readonly #attributes: Attributes
  readonly #startNs = BigInt(Date.now()) * 1_000_000n
  readonly #began = process.hrtime.bigint()
  #status: SpanStatus = { code: SpanStatusCode.UNSET }
  #isOpen = true

  constructor(name: string, options: SpanOptions, parent: ParentSpan | undefined, exporter: Exporter) {
    this.#name = name
    this.#options = options
    this.#parent = parent
    this.#exporter = exporter
    this.#attributes = { ...options.attributes }
    this.#ids = { traceId: parent?.traceId ?? drawId(16), spanId: drawId(8) }
  }

  spanContext() {
    return { ...this.#ids, traceFlags: TraceFlags.SAMPLED }
  }
  setAttribute(name: string, value: AttributeValue): this {
    this.#attributes[name] = value
    return this
  }
  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes)
    return this
  }
  setStatus(status: SpanStatus): this {
    this.#status = status
    return this
  }
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#exporter.add({
      ...this.#ids,
      parentSpanId: this.#parent?.spanId,
      name: this.#name,
      kind: this.#options.kind ?? SpanKind.INTERNAL,
      startNs: this.#startNs,
      endNs: this.#startNs + (process.hrtime.bigint() - this.#began),
      attributes: this.#attributes,
      status: this.#status,
    })
  }
  isRecording(): boolean {
    return this.#isOpen
  }
  // Nothing here needs events and links.
  addEvent(): this {
    return this
  }
  addLink(): this {
    return this
  }
  addLinks(): this {
    return this
  }
  updateName(): this {
    return this
  }
  recordException(): void {}
}
