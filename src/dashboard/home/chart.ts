import { html, type Html } from '../../http/html.ts'

// Bars over days, drawn on the server. They stand on zero, and what they say stands beside them in words: the largest, the
// first day and the last. Who can't see them has the table below.

export type Bar = {
  readonly label: string
  /** What stands there when the pointer rests on the bar. */
  readonly says: string
  /** Of the whole height; undefined where there is nothing to say of a day. */
  readonly share: number | undefined
}

export type Chart = {
  readonly title: string
  /** In words, for those who can't see it. */
  readonly summary: string
  readonly bars: readonly Bar[]
  /** What the full height means. */
  readonly top: string
}

const step = 10
const width = 7
const height = 100

/** Stretched to the width of its place; letters are outside of it, so that they keep their size. */
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
  // What is more than nothing is seen.
  const tall = share === undefined ? 0 : share === 0 ? 0 : Math.max(2, Math.round(share * height * 10) / 10)
  return html`<g>
    <title>${says}</title>
    <rect class="hit" x="${place * step}" y="0" width="${step}" height="${height}" />
    <rect class="bar ${isToday && 'now'}" x="${x}" y="${height - tall}" width="${width}" height="${tall}" />
  </g>`
}
