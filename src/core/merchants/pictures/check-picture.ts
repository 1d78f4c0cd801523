import { isJpeg, readJpeg } from '../../../platform/input/pictures/jpeg.ts'
import type { PictureRow } from './picture-store.ts'
import { inflatePng, isPng, readPng } from '../../../platform/input/pictures/png.ts'

// Checks a stranger's picture before any customer's browser gets it: PNG or JPEG by its own bytes, whatever its name or
// its server says, small, and without invisible data. Nothing is re-encoded: a picture that is too large is refused,
// with its size.

export const pictureBytesMax = 200 * 1024
export const pictureSideMax = 1024

export type Checked =
  | { readonly ok: true; readonly picture: PictureRow }
  | { readonly ok: false; readonly rule: string }

export function checkPicture(bytes: Buffer): Checked {
  if (bytes.length > pictureBytesMax) return refuse('must be at most 200 kB')
  if (looksLikeSvg(bytes)) return refuse('must be a PNG or a JPEG: an SVG can hold scripts, export it as PNG')
  if (!isPng(bytes) && !isJpeg(bytes)) return refuse('must be a PNG or a JPEG')
  const png = readPng(bytes)
  const read = png ?? readJpeg(bytes)
  if (!read) return refuse('is broken: save it again')
  const { width, height } = read
  if (width < 1 || height < 1 || width > pictureSideMax || height > pictureSideMax) {
    return refuse(
      `must be at most ${pictureSideMax} × ${pictureSideMax} pixels, but has ${width} × ${height}`,
    )
  }
  // Last: only of a size that is taken.
  if (png && !inflatePng(png)) return refuse('is broken: save it again')
  return { ok: true, picture: { type: png ? 'image/png' : 'image/jpeg', width, height, bytes: read.bytes } }
}

function looksLikeSvg(bytes: Buffer): boolean {
  return /^\s*(?:<\?xml|<!doctype svg|<svg|<!--)/i.test(
    bytes.toString('latin1', 0, 200).replace(/^\u00ef\u00bb\u00bf/, ''),
  )
}

function refuse(rule: string): Checked {
  return { ok: false, rule }
}
