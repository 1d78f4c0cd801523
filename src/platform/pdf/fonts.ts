import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Bidi } from 'bidi-js'
import type * as HarfBuzz from 'harfbuzzjs'

// The fonts of a receipt: Noto Sans for Latin, Greek and Cyrillic, Noto Sans Arabic beside it, HarfBuzz to shape them,
// and Unicode's rules for right-to-left text. Loaded with the first PDF: 120 ms, once.

export type Weight = 'regular' | 'bold'

export type Face = {
  readonly name: string
  readonly font: HarfBuzz.Font
  /** The whole file, from which each PDF takes what it needs. */
  readonly file: Buffer
  readonly upem: number
}

export type Fonts = {
  readonly harfbuzz: typeof HarfBuzz
  readonly bidi: Bidi
  /** Shapes one stretch after the other: one buffer for each was only freed by the garbage collector, 40 MB a long receipt. */
  readonly buffer: HarfBuzz.Buffer
  /** In the order in which a letter is looked for. */
  readonly faces: Readonly<Record<Weight, readonly Face[]>>
}

const files: Readonly<Record<Weight, readonly string[]>> = {
  regular: [
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  ],
  bold: [
    '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
    '@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf',
  ],
}

let opened: Promise<Fonts> | undefined

export async function openFonts(): Promise<Fonts> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

async function open(): Promise<Fonts> {
  const [harfbuzz, { default: bidiFactory }] = await Promise.all([import('harfbuzzjs'), import('bidi-js')])
  const openAll = async (names: readonly string[]): Promise<Face[]> =>
    Promise.all(names.map((name) => openFace(harfbuzz, name)))
  const [regular, bold] = await Promise.all([openAll(files.regular), openAll(files.bold)])
  const bidi = (bidiFactory as unknown as () => Bidi)()
  return { harfbuzz, bidi, buffer: new harfbuzz.Buffer(), faces: { regular, bold } }
}

async function openFace(harfbuzz: typeof HarfBuzz, name: string): Promise<Face> {
  const file = await readFile(fileURLToPath(import.meta.resolve(name)))
  const face = new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(file).buffer))
  return {
    name: /(\w+)\.ttf$/.exec(name)?.[1]?.replaceAll('_', '-') ?? 'Noto',
    font: new harfbuzz.Font(face),
    file,
    upem: face.upem,
  }
}
