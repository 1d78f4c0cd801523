import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePng } from '../../../test/support/pictures.ts'
import { pictureBytesMax } from './check-picture.ts'
import { fetchPicture } from './pictures.ts'

test('a picture is fetched up to the largest that is taken, and one byte more is called too large', async () => {
  const small = makePng(10, 10)
  const sized = (bytes: number): Buffer => makePng(10, 10, { after: Buffer.alloc(bytes - small.length) })
  const fetched = async (picture: Buffer) =>
    fetchPicture(
      {
        send: async ({ answerLimitBytes }) => ({
          ms: 1,
          status: 200,
          answer: picture.subarray(0, answerLimitBytes),
          retryAfter: undefined,
        }),
      },
      'https://shop.example/logo.png',
      'public',
    )
  assert.equal((await fetched(sized(pictureBytesMax))).ok, true)
  assert.deepEqual(await fetched(sized(pictureBytesMax + 1)), { ok: false, rule: 'must be at most 200 kB' })
})
