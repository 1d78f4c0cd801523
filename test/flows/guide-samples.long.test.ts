import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callsIn, canRunSample, openSampleShop, type SampleShop } from '../support/guide-samples.ts'

// The short form, with curl and Node, is in guide-samples.test.ts.

let shop: SampleShop
before(async () => {
  shop = await openSampleShop()
})
after(() => shop.close())

for (const language of ['PHP', 'Python', 'Ruby', 'Go', 'PHP client']) {
  test(`every call of the guide in ${language} runs as pasted`, async (context) => {
    for (const sample of callsIn(shop, language)) {
      if (!canRunSample(sample, context)) return
      const ran = await shop.run(sample)
      assert.equal(ran.code, 0, `${sample.name}: ${ran.errors}${ran.output}`)
      // The client prints an empty list, or a deleted thing, as nothing.
      if (language !== 'PHP client') assert.ok(ran.output.trim() !== '', sample.name)
    }
  })
}
