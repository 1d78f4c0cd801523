import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { openReceiver } from '../support/receiver.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { testSecretsKey } from '../support/secrets.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const florin = async (...args: string[]): Promise<Ended> =>
  runFlorin(['endpoint', ...args], {
    BASE_URL: 'http://127.0.0.1:3000',
    DATABASE_URL: house.databaseUrl,
    SECRETS_KEY: testSecretsKey,
  })

test('an endpoint is created, tested, paused, changed and deleted in a terminal', async () => {
  const receiver = await openReceiver()
  const created = await florin('create', receiver.url, '--events', 'payment.success', '--json')
  assert.equal(created.code, 0, created.err)
  const { id, secret } = JSON.parse(created.out) as { id: string; secret: string }
  assert.match(secret, /^whsec_/)
  assert.match((await florin('test', id)).out, /^Received: Answered 200, after \d+ ms\n$/)
  assert.match((await florin('pause', id)).out, /is paused/)
  assert.match((await florin('list')).out, new RegExp(`^${id}  paused  ${receiver.url}  payment\\.success`))
  assert.match((await florin('change', id, '--events', 'all')).out, /events +all/)
  assert.equal((await florin('resume', id)).code, 0)
  const rolled = await florin('roll', id, '--overlap', '0')
  assert.match(rolled.out, /^whsec_/)
  assert.notEqual(rolled.out.trim(), secret)
  assert.equal((await florin('delete', id)).code, 64, 'asks first')
  assert.deepEqual(await florin('delete', id, '--yes'), { code: 0, out: `${id} is deleted\n`, err: '' })
  assert.match((await florin('show', id)).err, /^Endpoint not found/)
  await receiver.close()
})
