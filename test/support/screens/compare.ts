import type { Picture } from './png.ts'

export type Difference = {
  /** Pixels that differ, those that only one of the two has included. */
  readonly count: number
  /** What is the same, pale; what is not, red. */
  readonly picture: Picture
}

// E-mails are drawn with soft edges, and the last bit of those is not worth a look.
const tolerance = 8

export function compare(before: Picture, after: Picture): Difference {
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const pixels = new Uint8Array(width * height * 4)
  let count = 0
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const old = pixelOf(before, x, y)
      const now = pixelOf(after, x, y)
      const isSame = old !== undefined && now !== undefined && isNear(before, old, after, now)
      if (!isSame) count += 1
      pixels.set(isSame ? pale(after, now) : red, (y * width + x) * 4)
    }
  }
  return { count, picture: { width, height, pixels } }
}

const red = [208, 0, 0, 255]

function pixelOf({ width, height }: Picture, x: number, y: number): number | undefined {
  return x < width && y < height ? (y * width + x) * 4 : undefined
}

function isNear(before: Picture, old: number, after: Picture, now: number): boolean {
  for (let channel = 0; channel < 4; channel += 1) {
    const distance = (before.pixels[old + channel] ?? 0) - (after.pixels[now + channel] ?? 0)
    if (Math.abs(distance) > tolerance) return false
  }
  return true
}

function pale({ pixels }: Picture, at: number): number[] {
  const grey = ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3
  const light = 200 + grey / 5
  return [light, light, light, 255]
}
