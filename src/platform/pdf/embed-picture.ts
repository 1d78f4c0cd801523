import { readJpeg } from '../input/pictures/jpeg.ts'
import { readPng, unfilterPng, type Png } from '../input/pictures/png.ts'
import type { PdfObjects } from './pdf-objects.ts'

/** The file as it was uploaded. */
export type Picture = {
  readonly type: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** The number of the picture in the PDF; undefined for the rare kinds that a PDF can't hold as they are. */
export function embedPicture(objects: PdfObjects, picture: Picture): number | undefined {
  const { width, height } = picture
  const shape = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`
  if (picture.type === 'image/jpeg') {
    const components = readJpeg(picture.bytes)?.components
    if (components !== 1 && components !== 3) return undefined
    const space = components === 1 ? '/DeviceGray' : '/DeviceRGB'
    return objects.addStream(`${shape} /ColorSpace ${space} /Filter /DCTDecode`, picture.bytes, true)
  }
  const png = readPng(picture.bytes)
  const layers = png && layersOf(png)
  if (!layers) return undefined
  const mask = layers.alpha && objects.addStream(`${shape} /ColorSpace /DeviceGray`, layers.alpha)
  const masked = mask === undefined ? '' : ` /SMask ${mask} 0 R`
  return objects.addStream(`${shape} /ColorSpace /${layers.space}${masked}`, layers.colours)
}

type Layers = {
  readonly space: 'DeviceGray' | 'DeviceRGB'
  readonly colours: Buffer
  readonly alpha: Buffer | undefined
}

function layersOf(png: Png): Layers | undefined {
  const plain = unfilterPng(png)
  if (!plain) return undefined
  if (png.colourType === 3) return fromPalette(png, plain)
  const space = png.colourType === 0 || png.colourType === 4 ? 'DeviceGray' : 'DeviceRGB'
  if (png.colourType === 0 || png.colourType === 2) return { space, colours: plain, alpha: undefined }
  const samples = png.colourType === 4 ? 2 : 4
  const pixels = png.width * png.height
  const colours = Buffer.alloc(pixels * (samples - 1))
  const alpha = Buffer.alloc(pixels)
  // No test: writing past the end of a buffer does nothing
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    // No test: the next pixel overwrites what is copied too much
    plain.copy(colours, pixel * (samples - 1), pixel * samples, pixel * samples + samples - 1)
    alpha[pixel] = plain[pixel * samples + samples - 1] ?? 0
  }
  return { space, colours, alpha }
}

function fromPalette({ palette, transparency }: Png, plain: Buffer): Layers {
  const colours = Buffer.alloc(plain.length * 3)
  const alpha = transparency.length === 0 ? undefined : Buffer.alloc(plain.length)
  plain.forEach((index, pixel) => {
    palette.copy(colours, pixel * 3, index * 3, index * 3 + 3)
    if (alpha) alpha[pixel] = transparency[index] ?? 255
  })
  return { space: 'DeviceRGB', colours, alpha }
}
