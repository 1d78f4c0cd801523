import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOtlpExporter } from '../../src/app/otlp.ts'
import { makeTraces } from '../../src/app/traces.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post } from '../support/house.ts'
import { answerWith, openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

// OpenTelemetry: a request, its statements and the notification that it leads to are one trace, at a collector.

type ExportedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}

function spansIn(bodies: readonly string[]): ExportedSpan[] {
  return bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[]
    }
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  })
}

const attribute = (span: ExportedSpan | undefined, name: string): string | undefined =>
  span?.attributes.find(({ key }) => key === name)?.value.stringValue

test('a request, its statements and its notification are one trace, with the request id and no values', async () => {
  const collector = await openReceiver(answerWith(200))
  const shop = await openReceiver(answerWith(200))
  const traces = makeTraces(collector.url, { 'service.name': 'florin' })
  const house = await openHouse({ world: { traces } })
  const callback_url = `${shop.url}?order=1234567`
  const body = { event: 'payment.success', callback_url }
  const answer = await post(`${house.url}/api/notifications/test`, body, house.secretKey)
  assert.equal(answer.status, 200, answer.text)
  await house.close()

  const bodies = collector.received.map((one) => one.body)
  const spans = spansIn(bodies)
  const request = spans.find(({ name }) => name === 'POST /api/notifications/test')
  assert.equal(attribute(request, 'request.id'), answer.headers.get('x-request-id'))
  const ofRequest = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  assert.ok(ofRequest.some((span) => attribute(span, 'db.query.text')?.includes('$1')))
  const ipn = ofRequest.find(({ name }) => name === 'IPN')
  assert.equal(attribute(ipn, 'server.address'), new URL(shop.url).host)
  assert.deepEqual([...new Set([request, ...ofRequest].map((span) => span?.traceId))], [request?.traceId])
  assert.equal(shop.received[0]?.headers['traceparent'], `00-${ipn?.traceId}-${ipn?.spanId}-01`)
  for (const secret of [house.secretKey, '1234567']) assert.ok(!bodies.join('').includes(secret), secret)
  await Promise.all([collector.close(), shop.close()])
})

test('spans a collector refuses are dropped, and memory stays bounded', async () => {
  const exporter = makeOtlpExporter(`http://127.0.0.1:${await freePort()}`, {})
  const span = {
    traceId: '0'.repeat(32),
    spanId: '0'.repeat(16),
    parentSpanId: undefined,
    name: 'x',
    kind: 0,
    startNs: 0n,
    endNs: 1n,
    attributes: {},
    status: { code: 0 },
  }
  for (let count = 0; count < 5_000; count += 1) exporter.add(span)
  assert.equal(exporter.dropped, 5_000 - 4_096)
  await exporter.close()
  await waitUntil('all are dropped', () => exporter.dropped === 5_000)
})
