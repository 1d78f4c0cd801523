import { html, type Html } from '../../../platform/http/html.ts'

// Small drawings. A shape shows the state besides the word and the colour; all are hidden from screen readers, because
// the word is beside them.

const tick = html`<path class="stroke" d="M14.5 24.5l6.5 6.5 13-14" />`
const cross = html`<path d="M17 17l14 14M31 17L17 31" />`
const clock = html`<path d="M24 14v10l6.5 4" />`
const dash = html`<path d="M15 24h18" />`
const back = html`<path d="M20 16l-7 7 7 7M14 23h13a7 7 0 0 1 0 14" transform="translate(1 -3)" />`
const forward = html`<path d="M15 24h17M25.500 16.500l7.500 7.500-7.500 7.500" />`
const question = html`<path d="M19 19.5a5 5 0 1 1 7.5 4.3c-1.6 1-2.5 2-2.5 3.7M24 32.5v.5" />`

const drawings = { tick, cross, clock, dash, back, forward, question }

/** Arrows point the other way where reading does. */
const turning: ReadonlySet<string> = new Set(['back', 'forward'])

export function mark(shape: keyof typeof drawings, tone: 'good' | 'warn' | 'bad' | 'calm'): Html {
  return html`<svg class="mark ${tone} ${turning.has(shape) && 'turning'}" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
    <circle cx="24" cy="24" r="22.5" />
    ${drawings[shape]}
  </svg>`
}

export const lock = html`<svg class="lock" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
  <path d="M4 7V5a4 4 0 0 1 8 0v2h.5A1.5 1.5 0 0 1 14 8.500v5a1.500 1.500 0 0 1-1.500 1.500h-9A1.500 1.500 0 0 1 2 13.500v-5A1.500 1.500 0 0 1 3.500 7zm1.700 0h4.600V5a2.300 2.300 0 0 0-4.600 0z" />
</svg>`
