import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'

// No daemon is asked; what can be read is.

type Service = {
  readonly command: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly ports?: readonly string[]
}

const { services } = parse(readFileSync(new URL('compose.yaml', import.meta.url), 'utf8'), {
  merge: true,
}) as { services: Readonly<Record<string, Service>> }

test('every container of the cluster is known to be well, and none ends, so that `up --wait` ends well', () => {
  for (const [name, { healthcheck }] of Object.entries(services))
    assert.ok((healthcheck?.test.length ?? 0) > 1, `${name} has no health check`)
  const { 'add-nodes': adding, ...databases } = services
  assert.match(adding?.command.join(' ') ?? '', /&& touch \/tmp\/nodes-added && exec sleep infinity$/)
  assert.deepEqual(adding?.healthcheck?.test, ['CMD', 'test', '-f', '/tmp/nodes-added'])
  assert.deepEqual(
    adding?.depends_on,
    Object.fromEntries(Object.keys(databases).map((name) => [name, { condition: 'service_healthy' }])),
  )
})

test('each database listens, is asked and is added on the port that it is published on', () => {
  const { 'add-nodes': adding, ...databases } = services
  for (const [name, { command, environment, ports }] of Object.entries(databases)) {
    const port = environment['PGPORT']
    assert.deepEqual(command, ['postgres', '-c', `port=${port}`])
    assert.deepEqual(ports, [`127.0.0.1:${port}:${port}`])
    assert.match(adding?.command.join(' ') ?? '', new RegExp(`\\('${name}', ${port}\\)`))
  }
})
