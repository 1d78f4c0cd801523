// A merchant's colour in place of our accent: darkened on light paper and lightened on dark paper until it can be read there,
// as text and as a button's ground, with a contrast of 4.5 : 1 (WCAG 1.4.3).

export type Accent = { readonly accent: string; readonly ink: string }
export type Accents = { readonly light: Accent; readonly dark: Accent }

export const leastContrast = 4.5

// The grounds of base.css that are hardest to read on: the darkest of the light ones and the lightest of the dark ones.
const lightGround = '#f6f4ef'
const darkGround = '#201f1b'
// The text colours on the accent. Each contrasts with it more than the background it was made to differ from.
const lightInk = '#ffffff'
const darkInk = '#161512'

type Rgb = readonly [number, number, number]

export function accentsOf(colour: string): Accents {
  return {
    light: { accent: repaired(colour, lightGround, [0, 0, 0]), ink: lightInk },
    dark: { accent: repaired(colour, darkGround, [255, 255, 255]), ink: darkInk },
  }
}

const steps = 100

/** The nearest colour on the way to black or white that differs enough from the ground. */
function repaired(colour: string, ground: string, end: Rgb): string {
  const from = readColour(colour)
  // No test: the last step is black or white, as the return value below
  for (let step = 0; step <= steps; step += 1) {
    const mixed = writeColour(mix(from, end, step / steps))
    // No test: no two colours differ by exactly 4.5 : 1
    if (contrast(mixed, ground) >= leastContrast) return mixed
  }
  return writeColour(end)
}

function mix([red, green, blue]: Rgb, [endRed, endGreen, endBlue]: Rgb, share: number): Rgb {
  const between = (from: number, to: number): number => Math.round(from + (to - from) * share)
  return [between(red, endRed), between(green, endGreen), between(blue, endBlue)]
}

/** From 1 to 21, as WCAG counts it. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(readColour(one)), luminance(readColour(other))].toSorted(
    (a, b) => a - b,
  ) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number): number => {
    const share = part / 255
    // No test: no part of a colour is exactly that share
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function readColour(colour: string): Rgb {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function writeColour(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
