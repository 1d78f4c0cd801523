import { writeFileSync } from 'node:fs'
import { creates } from './create.ts'
import type { Measured, Pace } from './measure.ts'
import type { Site } from './site.ts'

// Creates at rising load: what the median and the slowest hundredth wait, drawn as an SVG for docs/performance.md.

const connections = [1, 4, 16, 64, 256]

export async function drawLatency(site: Site, { seconds, say }: Pace, file: URL): Promise<void> {
  const points: { at: number; measured: Measured }[] = []
  for (const at of connections) {
    say(`${at} connections`)
    points.push({ at, measured: await creates(site, at, seconds) })
  }
  writeFileSync(file, draw(points))
}

const width = 640
const height = 320
const left = 56
const bottom = 40

function draw(points: readonly { at: number; measured: Measured }[]): string {
  const highest = Math.max(...points.map(({ measured }) => measured.p99Ms)) * 1.1
  const x = (index: number): number => left + (index * (width - left - 90)) / (points.length - 1)
  const y = (ms: number): number => height - bottom - (ms / highest) * (height - bottom - 24)
  const line = (read: (measured: Measured) => number): string =>
    points.map(({ measured }, index) => `${x(index).toFixed(1)},${y(read(measured)).toFixed(1)}`).join(' ')
  const last = points.at(-1)
  const end = x(points.length - 1) + 8
  const label = (text: string, ms: number): string =>
    `<text x="${end}" y="${(y(ms) + 4).toFixed(1)}">${text}</text>`
  const ticks = points.map(({ at, measured }, index) => {
    const place = x(index).toFixed(1)
    return `<text x="${place}" y="${height - 22}" text-anchor="middle">${at}</text><text x="${place}" y="${height - 6}" text-anchor="middle" fill="#5f5b52">${Math.round(measured.perSecond)}/s</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#1c1b18" role="img" aria-label="Latency of creates over connections">
<rect width="${width}" height="${height}" fill="#fffefb"/>
<line x1="${left}" y1="${y(0)}" x2="${width - 90}" y2="${y(0)}" stroke="#ddd8cc"/>
<text x="${left - 8}" y="${y(0) + 4}" text-anchor="end">0</text>
<text x="${left - 8}" y="${(y(highest / 1.1) + 4).toFixed(1)}" text-anchor="end">${(highest / 1.1).toFixed(0)} ms</text>
<polyline points="${line((measured) => measured.p99Ms)}" fill="none" stroke="#8a5200" stroke-width="2"/>
<polyline points="${line((measured) => measured.p50Ms)}" fill="none" stroke="#17603f" stroke-width="2"/>
${last ? label(`p99 ${last.measured.p99Ms.toFixed(0)} ms`, last.measured.p99Ms) + label(`p50 ${last.measured.p50Ms.toFixed(0)} ms`, last.measured.p50Ms) : ''}
${ticks.join('\n')}
<text x="${left - 48}" y="16">create: time to answer, over connections</text>
</svg>
`
}
