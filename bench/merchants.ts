import { creates } from './create.ts'
import { interleave, summarise, type Driven, type Pace } from './measure.ts'
import type { Report } from './report.ts'
import type { Target } from './site.ts'
import { wholePayments } from './whole-payment.ts'

// Fifty merchants beside one busy one, on the same servers in turn. No two share a statement, so of fifty with a caller
// each nobody has anybody to share with; how much of a busy merchant's speed is left to them is what this says.

export async function benchMerchants(site: Target, pace: Pace, connections: number): Promise<Report[]> {
  const one: Target = { port: site.port, merchants: site.merchants.slice(0, 1) }
  const works = { create: creates, 'whole payment': wholePayments }
  const reports: Report[] = []
  for (const [work, drive] of Object.entries(works)) {
    const say = (doing: string): void => pace.say(`${work}, ${doing}`)
    const results = await interleave(
      { ...pace, say },
      {
        one: async () => drive(one, connections, pace.seconds),
        many: async () => drive(site, connections, pace.seconds),
      },
    )
    reports.push(report(`${work}, ${site.merchants.length} merchants`, results))
  }
  return reports
}

function report(
  work: string,
  { one, many: each }: { one: readonly Driven[]; many: readonly Driven[] },
): Report {
  const ratio = summarise(each.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? NaN)))
  const rate = (measured: readonly Driven[]): number =>
    Math.round(summarise(measured.map(({ perSecond }) => perSecond)).median)
  return {
    work,
    beside: `one merchant, same servers: ${rate(one)}/s`,
    goal: '≥ 0.7 ×',
    result: `${ratio.median.toFixed(2)} ×`,
    spread: `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`,
    detail: `${rate(each)}/s`,
  }
}
