import { html, type Html } from '../../../platform/http/html.ts'

// A bar chart of days, rendered on the server: zero-based, with direct labels. Behind each bar is the previous
// period's. A table below it has the same figures.

export type Bar = {
  readonly label: string
  /** The tooltip. */
  readonly says: string
  /** Share of the full height. */
  readonly share: number
  /** The same of the period before. */
  readonly before: number
}

export type Chart = {
  readonly title: string
  /** For screen readers. */
  readonly summary: string
  readonly bars: readonly Bar[]
  /** The label of the full height. */
  readonly top: string
  /** Below the last bar. */
  readonly last: string
}

const step = 12
const width = 5
const height = 100

/** The SVG stretches; labels are outside it, so they keep their size. */
export function drawChart({ title, summary, bars, top, last }: Chart): Html {
  return html`<figure class="chart">
    <p class="top-label quiet small" aria-hidden="true"><span>${top}</span></p>
    <svg
      role="img"
      aria-label="${title}. ${summary}"
      viewBox="0 0 ${bars.length * step} ${height}"
      preserveAspectRatio="none"
    >
      ${bars.map((bar, place) => drawBar(bar, place, place === bars.length - 1))}
    </svg>
    <figcaption class="quiet small" aria-hidden="true">
      <span>${bars[0]?.label}</span><span>${last}</span>
    </figcaption>
  </figure>`
}

function drawBar({ says, share, before }: Bar, place: number, isLast: boolean): Html {
  const x = place * step + 1
  const [tall, tallBefore] = [heightOf(share), heightOf(before)]
  return html`<g>
    <title>${says}</title>
    <rect class="hit" x="${place * step}" y="0" width="${step}" height="${height}" />
    <rect class="before" x="${x}" y="${height - tallBefore}" width="${width}" height="${tallBefore}" />
    <rect class="bar ${isLast && 'now'}" x="${x + width}" y="${height - tall}" width="${width}" height="${tall}" />
  </g>`
}

/** Any amount above zero stays visible. */
function heightOf(share: number): number {
  return share === 0 ? 0 : Math.max(2, Math.round(share * height * 10) / 10)
}
