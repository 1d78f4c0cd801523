import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@prometheus-io/client'

export type Metrics = {
  readonly contentType: string
  /** What a scraper is sent. */
  print(): Promise<string>
  readonly requests: Histogram<'method' | 'route' | 'status'>
  counter<Label extends string>(name: string, help: string, labels?: Label[]): Counter<Label>
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

export function makeMetrics(): Metrics {
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess })
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
    counter: (name, help, labels = []) =>
      new Counter({ name, help, labelNames: labels, registers: [registry] }),
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
