import { html, type Html } from '../../http/html.ts'

// A bar chart of days, rendered on the server: zero-based, with direct labels. A table below it has the same figures.

export type Bar = {
  readonly label: string
  /** The tooltip. */
  readonly says: string
  /** Share of the full height; undefined if the day has no figure. */
  readonly share: number | undefined
}

export type Chart = {
  readonly title: string
  /** For screen readers. */
  readonly summary: string
  readonly bars: readonly Bar[]
  /** The label of the full height. */
  readonly top: string
}

const step = 10
const width = 7
const height = 100

/** The SVG stretches; labels are outside it, so they keep their size. */
export function drawChart({ title, summary, bars, top }: Chart): Html {
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
      <span>${bars[0]?.label}</span><span>Today</span>
    </figcaption>
  </figure>`
}

function drawBar({ says, share }: Bar, place: number, isToday: boolean): Html {
  const x = place * step + (step - width) / 2
  // Any amount above zero stays visible.
  const tall = share === undefined ? 0 : share === 0 ? 0 : Math.max(2, Math.round(share * height * 10) / 10)
  return html`<g>
    <title>${says}</title>
    <rect class="hit" x="${place * step}" y="0" width="${step}" height="${height}" />
    <rect class="bar ${isToday && 'now'}" x="${x}" y="${height - tall}" width="${width}" height="${tall}" />
  </g>`
}
