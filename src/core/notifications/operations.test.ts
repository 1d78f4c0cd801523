import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { call, openHouse, post, type Answer, type House } from '../../../test/support/house.ts'
import { createPayment, happens } from '../../../test/support/pay.ts'
import { openReceiver } from '../../../test/support/receiver.ts'
import { answerSchema } from '../../platform/http/openapi/openapi.ts'
import { events } from '../../app/modules.ts'
import { namesOf } from './events.ts'
import { notificationOperations } from './operations.ts'

let house: House
let worker: { stop(): Promise<void> }
before(async () => {
  house = await openHouse()
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

const ajv = new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } })

function conforms(id: string, status: number, answer: Answer): void {
  assert.equal(answer.status, status, answer.text)
  const operation = notificationOperations(namesOf(events)).find((each) => each.id === id)
  const described = operation?.answers.find((each) => each.status === status)
  assert.ok(described, `${id} answered ${status}, which is not described`)
  const validate = ajv.compile(answerSchema(described))
  assert.ok(validate(answer.json), `${id}: ${ajv.errorsText(validate.errors)} in ${answer.text}`)
}

test('every notification operation answers as documented, good and bad', async () => {
  const key = house.secretKey
  const at = (path: string): string => house.url + path
  const receiver = await openReceiver()
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  const [ipn] = await receiver.first(1)
  const path = `/api/transaction/${payment.txRef}/notifications`
  conforms('listNotifications', 200, await call(at(path), { key }))
  conforms('listNotifications', 404, await call(at('/api/transaction/none/notifications'), { key }))
  conforms('listNotifications', 401, await call(at(path)))
  const id = ipn?.headers['webhook-id'] ?? ''
  conforms('resendNotification', 200, await post(at(`${path}/${id}/resend`), {}, key))
  conforms('resendNotification', 400, await post(at(`${path}//resend`), {}, key))
  conforms('resendNotification', 404, await post(at(`${path}/evt_none/resend`), {}, key))
  const silent = await createPayment(house)
  await happens(house, silent, 'paid')
  const silentPath = `/api/transaction/${silent.txRef}/notifications`
  const kept: { id: string; kind: string }[] = (await call(at(silentPath), { key })).json.data
  const keptId = kept.find(({ kind }) => kind === 'ipn')?.id
  conforms('resendNotification', 409, await post(at(`${silentPath}/${keptId}/resend`), {}, key))
  conforms(
    'sendTestNotification',
    200,
    await post(at('/api/notifications/test'), { callback_url: receiver.url }, key),
  )
  conforms(
    'sendTestNotification',
    400,
    await post(at('/api/notifications/test'), { callback_url: 'ftp://x' }, key),
  )
  conforms('resumeReceiver', 404, await post(at('/api/notifications/resume'), { origin: receiver.url }, key))
  conforms('resumeReceiver', 400, await post(at('/api/notifications/resume'), {}, key))
  const since = new Date(Date.now() - 60_000).toISOString()
  conforms('listenToNotifications', 200, await call(at(`/api/notifications/listen?since=${since}`), { key }))
  conforms('listenToNotifications', 400, await call(at('/api/notifications/listen'), { key: house.liveKey }))
  conforms('listenToNotifications', 400, await call(at('/api/notifications/listen?wait=99'), { key }))
  const started = await post(at('/api/notifications/listen'), {}, key)
  conforms('startListening', 201, started)
  conforms('startListening', 400, await post(at('/api/notifications/listen'), { events: ['odd'] }, key))
  conforms(
    'reportListenerAnswer',
    404,
    await post(at('/api/notifications/listen/answer'), { endpoint: 'ep', id, http_status: 200 }, key),
  )
  conforms('reportListenerAnswer', 400, await post(at('/api/notifications/listen/answer'), {}, key))
  await receiver.close()
})

test('every endpoint operation answers as documented, good and bad', async () => {
  const key = house.secretKey
  const receiver = await openReceiver()
  const ask = async (method: string, path: string, body?: object): Promise<Answer> =>
    call(`${house.url}/api/endpoints${path}`, {
      method,
      key,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  const created = await ask('POST', '', { url: receiver.url, events: ['payment.success'] })
  conforms('createEndpoint', 201, created)
  conforms('createEndpoint', 400, await ask('POST', '', { url: 'ftp://x', events: ['odd'] }))
  conforms('createEndpoint', 409, await ask('POST', '', { url: receiver.url }))
  const { id } = created.json.data as { id: string }
  conforms('listEndpoints', 200, await ask('GET', ''))
  conforms('listEndpoints', 400, await ask('GET', '?limit=0'))
  conforms('findEndpoint', 200, await ask('GET', `/${id}`))
  conforms('findEndpoint', 404, await ask('GET', '/ep_none'))
  conforms('changeEndpoint', 200, await ask('PATCH', `/${id}`, { events: ['*'], description: '' }))
  conforms('changeEndpoint', 400, await ask('PATCH', `/${id}`, { url: 'odd' }))
  conforms('pauseEndpoint', 200, await ask('POST', `/${id}/pause`))
  conforms('resumeEndpoint', 200, await ask('POST', `/${id}/resume`))
  conforms('rollEndpointSecret', 200, await ask('POST', `/${id}/roll-secret`, {}))
  conforms('rollEndpointSecret', 400, await ask('POST', `/${id}/roll-secret`, { overlap_hours: 99 }))
  conforms('testEndpoint', 200, await ask('POST', `/${id}/test`))
  conforms('testEndpoint', 400, await ask('POST', `/${id}/test`, { event: 'odd' }))
  conforms('deleteEndpoint', 200, await ask('DELETE', `/${id}`))
  for (const path of [`/${id}/pause`, `/${id}/resume`, `/${id}/roll-secret`, `/${id}/test`])
    assert.equal((await ask('POST', path)).status, 404, path)
  conforms('deleteEndpoint', 404, await ask('DELETE', `/${id}`))
  await receiver.close()
})
