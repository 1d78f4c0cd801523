// Figures of this process, parsed from its own metrics, so no figure is counted twice.

export type Glance = {
  readonly requests: number
  readonly failed: number
  /** 95 % of requests were answered within these seconds. */
  readonly p95Seconds: number | undefined
  readonly waiting: number | undefined
  readonly paused: number | undefined
  readonly overdueSeconds: number | undefined
  readonly underAttack: number | undefined
  readonly memoryBytes: number | undefined
  readonly startedAt: Date | undefined
}

export function readGlance(text: string): Glance {
  const counts = samples(text, 'florin_http_request_seconds_count')
  const requests = sum(counts)
  const started = gauge(text, 'process_start_time_seconds')
  return {
    requests,
    failed: sum(counts.filter(({ labels }) => /status="5/.test(labels))),
    p95Seconds: quantile(samples(text, 'florin_http_request_seconds_bucket'), requests * 0.95),
    waiting: gauge(text, 'florin_deliveries_waiting'),
    paused: gauge(text, 'florin_deliveries_paused'),
    overdueSeconds: gauge(text, 'florin_deliveries_overdue_seconds'),
    underAttack: gauge(text, 'florin_card_testing_merchants_under_attack'),
    memoryBytes: gauge(text, 'process_resident_memory_bytes'),
    startedAt: started === undefined ? undefined : new Date(started * 1_000),
  }
}

type Sample = { readonly labels: string; readonly value: number }

function samples(text: string, name: string): Sample[] {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))
  return [...lines].map(([, labels = '', value]) => ({ labels, value: Number(value) }))
}

function gauge(text: string, name: string): number | undefined {
  const [found] = samples(text, name)
  return found && Number.isFinite(found.value) ? found.value : undefined
}

function sum(found: readonly Sample[]): number {
  return found.reduce((all, { value }) => all + value, 0)
}

/** The smallest bucket bound that covers `wanted` requests. */
function quantile(buckets: readonly Sample[], wanted: number): number | undefined {
  const bounds = new Map<number, number>()
  for (const { labels, value } of buckets) {
    const bound = Number(/le="([^"]+)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity'))
    bounds.set(bound, (bounds.get(bound) ?? 0) + value)
  }
  const [found] =
    [...bounds].toSorted(([one], [other]) => one - other).find(([, count]) => count >= wanted) ?? []
  return found !== undefined && Number.isFinite(found) && wanted > 0 ? found : undefined
}
