// Own process: counts calls into WebAssembly, which is loaded once per process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFonts } from './fonts.ts'
import { openSubset } from './subset-font.ts'

type Exports = Readonly<Record<string, unknown>>
type Instantiate = (program: Uint8Array) => Promise<{ readonly instance: { readonly exports: Exports } }>

const { WebAssembly: library } = globalThis as unknown as { WebAssembly: { instantiate: Instantiate } }

// What makes something in the memory of HarfBuzz, and what gives it back.
const pairs = [
  [['malloc'], 'free'],
  [['hb_blob_create', 'hb_face_reference_blob'], 'hb_blob_destroy'],
  [['hb_face_create', 'hb_subset_or_fail'], 'hb_face_destroy'],
  [['hb_subset_input_create_or_fail'], 'hb_subset_input_destroy'],
] as const

test('a font subset is small, and its memory is released', async (t) => {
  const [face] = (await openFonts()).faces.regular
  assert.ok(face)
  const calls: string[] = []
  const { instantiate } = library
  t.mock.method(library, 'instantiate', async (program: Uint8Array) => {
    const { instance } = await instantiate(program)
    const counted = Object.entries(instance.exports).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value] as const
      return [
        name,
        (...args: unknown[]): unknown => (
          calls.push(name),
          (value as (...all: unknown[]) => unknown)(...args)
        ),
      ] as const
    })
    return { instance: { exports: Object.fromEntries(counted) } }
  })
  const subset = await openSubset()
  const part = subset(face.file, new Set([0, 36, 57]))
  assert.ok(part.length > 100 && part.length < face.file.length / 10)
  const count = (name: string): number => calls.filter((call) => call === name).length
  for (const [makers, giver] of pairs) {
    const made = makers.map(count)
    assert.deepEqual(
      made,
      makers.map(() => 1),
      makers.join(),
    )
    assert.equal(count(giver), makers.length, giver)
  }
})
