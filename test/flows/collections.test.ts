import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateRawSync, crc32 } from 'node:zlib'
import { clientMethods } from '../../src/guide/samples/clients.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { operationsOf, type OpenApi } from '../../clients/node/write-types.ts'
import { collectionPaths } from '../../src/guide/collections/paths.ts'

let house: House
before(async () => {
  house = await openHouse({ settings: { BASE_URL: 'https://pay.oak.example' } })
})
after(() => house.close())

type Item = {
  name: string
  request: { method: string; url: { raw: string }; body?: { raw: string } }
  event: { listen: string; script: { exec: string[] } }[]
}
type Postman = { item: { name: string; item: Item[] }[]; variable: { key: string; value: string }[] }

test('the Postman collection has every call of /openapi.json once, with tests and without a key', async () => {
  const answer = await call(house.url + collectionPaths.postman)
  assert.match(answer.headers.get('content-disposition') ?? '', /florin\.postman_collection\.json/)
  const postman = answer.json as unknown as Postman
  const items = postman.item.flatMap(({ item }) => item)
  const document = (await call(`${house.url}/openapi.json`)).json as unknown as OpenApi
  const described = operationsOf(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const sent = items.map(({ request }) => `${request.method} ${request.url.raw.replace(/^\{\{\w+\}\}/, '')}`)
  const shape = (text: string): string => text.replaceAll(/\{+\w+\}+/g, '{}')
  assert.deepEqual(sent.map(shape).toSorted(), described.map(shape).toSorted())
  assert.equal(items.length, Object.keys(clientMethods).length)
  for (const { name, event } of items)
    assert.match(
      event.find(({ listen }) => listen === 'test')?.script.exec.join('\n') ?? '',
      /pm\.test/,
      name,
    )
  assert.equal(postman.variable.find(({ key }) => key === 'base_url')?.value, 'https://pay.oak.example')
  assert.doesNotMatch(answer.text, /(sk|ak)_(test|live)_\w/)
})

/** Name and text of each file, by the central directory, which is what programs read. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.length - 22
  assert.equal(zip.readUInt32LE(end), 0x06054b50)
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50)
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26)
    const text = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)))
    assert.deepEqual([crc32(text), text.length], [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)], name)
    files.set(name, text.toString('utf8'))
    at += 46 + nameLength
  }
  assert.equal(at, end)
  return files
}

test('the Bruno archive has the same calls as files, and an environment with secret keys', async () => {
  const answer = await fetch(house.url + collectionPaths.bruno)
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  const files = unzip(Buffer.from(await answer.arrayBuffer()))
  const calls = [...files.values()].filter((text) => text.includes('type: http'))
  assert.equal(calls.length, Object.keys(clientMethods).length)
  for (const text of calls) assert.match(text, /^tests \{$/m)
  assert.match(files.get('florin/environments/Florin.bru') ?? '', /base_url: https:\/\/pay\.oak\.example/)
  assert.match(
    files.get('florin/environments/Florin.bru') ?? '',
    /vars:secret \[\n {2}secret_key,\n {2}api_key\n\]/,
  )
})
