import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

// A receipt needs some sixty glyphs of a 600 kB font: HarfBuzz extracts them, and each keeps its number.

export type SubsetFont = (file: Buffer, glyphs: ReadonlySet<number>) => Buffer

// The types of Node leave it out.
declare const WebAssembly: {
  instantiate(program: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }>
}

/** The functions of hb-subset.h that are used here; numbers are addresses in its memory. */
type Functions = {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize?(): void
  malloc(size: number): number
  free(address: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_glyph_set(input: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_input_destroy(input: number): void
  hb_subset_or_fail(face: number, input: number): number
}

const writable = 2 // No test: HarfBuzz never needs to write there
const noHinting = 0x1
const retainGlyphs = 0x2

let opened: Promise<SubsetFont> | undefined

export async function openSubset(): Promise<SubsetFont> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

async function open(): Promise<SubsetFont> {
  const program = await readFile(fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')))
  const { instance } = await WebAssembly.instantiate(program)
  const functions = instance.exports as Functions
  functions._initialize?.()
  return (file, glyphs) => subset(functions, file, glyphs)
}

function subset(hb: Functions, file: Buffer, glyphs: ReadonlySet<number>): Buffer {
  const address = hb.malloc(file.length)
  new Uint8Array(hb.memory.buffer).set(file, address)
  const blob = hb.hb_blob_create(address, file.length, writable, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  const input = hb.hb_subset_input_create_or_fail()
  const wanted = hb.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) hb.hb_set_add(wanted, glyph)
  hb.hb_subset_input_set_flags(input, noHinting | retainGlyphs)
  const made = hb.hb_subset_or_fail(face, input)
  try {
    // No test: only a broken installation has such fonts
    if (made === 0) throw new Error('A font could not be cut down')
    const result = hb.hb_face_reference_blob(made)
    const start = hb.hb_blob_get_data(result, 0)
    // Copied: the memory may be another one after the next call.
    const bytes = Buffer.from(new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(result)))
    hb.hb_blob_destroy(result)
    return bytes
  } finally {
    if (made !== 0) hb.hb_face_destroy(made)
    hb.hb_subset_input_destroy(input)
    hb.hb_face_destroy(face)
    hb.hb_blob_destroy(blob)
    hb.free(address)
  }
}
