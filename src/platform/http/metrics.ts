import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type LabelValues,
} from '@prometheus-io/client'

export type Metrics = {
  readonly contentType: string
  /** The response to a scraper. */
  print(): Promise<string>
  readonly requests: Histogram<'method' | 'route' | 'status'>
  /** `known`: every value of each label that can come. All of them are there from the start, at 0. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    known?: Readonly<Record<Label, readonly string[]>>,
  ): Counter<Label>
  /** A fact in labels, at 1. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labels?: Label[],
  ): Histogram<Label>
}

const latencyBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// The metrics of the process (memory, garbage collection, event loop) are collected once, until it ends. With a set for
// each server, as tests start many, their observers held on to the memory of closed servers.
const ofProcess = new Registry()

/** Every 10 ms, as is usual, takes 3 ms of processor time a second of a process that does nothing; this takes 0.3. */
const lagEveryMs = 100
/** The longest that a timer can wait, 25 days. */
const neverMs = 2 ** 31 - 1

/** Gauges that end like counters, and types in names: promtool's lint refuses them, and others say the same. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
]

export function makeMetrics(): Metrics {
  if (ofProcess.getMetricsAsArray().length === 0) {
    collectDefaultMetrics({
      register: ofProcess,
      eventLoopMonitoringPrecision: lagEveryMs,
      // Of two metrics that are removed here.
      eventLoopUtilizationTimeout: neverMs,
    })
    for (const name of misnamed) ofProcess.removeSingleMetric(name)
  }
  const registry = new Registry()
  const requests = new Histogram({
    name: 'florin_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: latencyBuckets,
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    print: async () => Registry.merge([ofProcess, registry]).metrics(),
    requests,
    counter: <Label extends string>(
      name: string,
      help: string,
      known?: Readonly<Record<Label, readonly string[]>>,
    ) => {
      const labelNames = Object.keys(known ?? {}) as Label[]
      const counter = new Counter({ name, help, labelNames, registers: [registry] })
      // Prometheus sees no increase in a series that appears at 1: the first unusual charge would ring no bell.
      if (known) for (const labels of combine(known)) counter.inc(labels as LabelValues<Label>, 0)
      return counter
    },
    info(name, help, labels) {
      const labelNames = Object.keys(labels)
      new Gauge({ name, help, labelNames, registers: [registry] }).set(labels, 1)
    },
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets, labelNames: labels, registers: [registry] }),
    gauge(name, help, read) {
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
  }
}

/** Every combination of the values. */
function combine<Label extends string>(
  known: Readonly<Record<Label, readonly string[]>>,
): Record<Label, string>[] {
  let all: Partial<Record<Label, string>>[] = [{}]
  for (const [label, values] of Object.entries(known) as [Label, readonly string[]][])
    all = all.flatMap((one) => values.map((value) => ({ ...one, [label]: value })))
  return all as Record<Label, string>[]
}
