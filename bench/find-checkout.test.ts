import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findCheckout } from './find-checkout.ts'

const root = fileURLToPath(new URL('../', import.meta.url)).replace(/\/$/, '')

test('a folder with a Florin is measured where it is', async () => {
  await using found = await findCheckout(root)
  assert.equal(found.folder, root)
})

test('a name that is neither a folder nor a commit is refused', async () => {
  await assert.rejects(
    findCheckout('no-such-commit'),
    /^Error: There is no Florin in .*, and no commit no-such-commit$/,
  )
})
