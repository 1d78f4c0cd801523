import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { makeKnownPaths, type KnownPaths } from './known-paths.ts'

const routes: readonly (readonly [string | string[], string])[] = [
  ['GET', '/'],
  ['POST', '/api/payment'],
  [['GET', 'HEAD'], '/api/transaction/:tx_ref'],
  ['POST', '/api/transaction/:tx_ref/cancel'],
  ['GET', '/api/projects'],
  [['PATCH', 'DELETE'], '/api/projects/:name'],
  [['GET', 'POST'], '/shops'],
  ['GET', '/shops/:name'],
  ['GET', '/a.json'],
  ['OPTIONS', '*'],
]

function makePaths(): KnownPaths {
  const paths = makeKnownPaths()
  for (const [method, url] of routes) paths.add({ method, url } as RouteOptions)
  return paths
}

const tidied = (method: string, url: string): string => makePaths().tidy(method, url)

test('every route is listed with each of its methods', () => {
  assert.deepEqual(
    makePaths().all.map(({ method, url }) => `${method} ${url}`),
    routes.flatMap(([methods, url]) => [methods].flat().map((method) => `${method} ${url}`)),
  )
})

test('extra slashes are removed where that gives a known path, and the query is kept', () => {
  for (const [method, odd, plain] of [
    ['POST', '//api/payment', '/api/payment'],
    ['POST', '/api/payment/', '/api/payment'],
    ['POST', '///api//payment//', '/api/payment'],
    ['POST', '/api/payment/?a=//b/', '/api/payment?a=//b/'],
    ['GET', '//api/transaction/order-1?', '/api/transaction/order-1?'],
    ['POST', '/api/transaction/order-1/cancel/', '/api/transaction/order-1/cancel'],
    ['GET', '/api/projects/', '/api/projects'],
    ['POST', '/shops/', '/shops'],
    ['GET', '//', '/'],
  ] as const) {
    assert.equal(tidied(method, odd), plain, odd)
  }
})

test('a path is unchanged if it is known, or would be unknown without its slashes', () => {
  for (const [method, url] of [
    ['POST', '/api/payment'],
    ['POST', '/api/payment?back=//b/'],
    ['GET', '/'],
    ['GET', '/?a=1'],
    // The name of a thing may be empty: whoever asks is told that there is none.
    ['GET', '/api/transaction/'],
    ['DELETE', '/api/projects/'],
    ['GET', '/shops/'],
    // Without its slashes it would be one of another method.
    ['GET', '//api/payment'],
    ['POST', '/api/projects/'],
    ['GET', '//nothing'],
    ['GET', '/nothing/'],
    ['GET', '//a-json'],
    // What a wildcard takes is nobody's.
    ['OPTIONS', '//nothing/'],
    ['OPTIONS', '/api/payment/'],
  ] as const) {
    assert.equal(tidied(method, url), url, `${method} ${url}`)
  }
})

test('paths are tidied with one route or none', () => {
  const paths = makeKnownPaths()
  assert.equal(paths.tidy('GET', '//a/'), '//a/')
  paths.add({ method: 'GET', url: '/a' } as RouteOptions)
  assert.equal(paths.tidy('GET', '//a/'), '/a')
})

test('reads are redirected to the tidy URL, writes are served directly', () => {
  const movedTo = (method: string, url: string, originalUrl: string | undefined): string | undefined =>
    makePaths().movedTo({ raw: { method, url, originalUrl } } as unknown as FastifyRequest)
  for (const method of ['GET', 'HEAD']) {
    assert.equal(movedTo(method, '/a', '//a'), '/a')
    assert.equal(movedTo(method, '/a', '/a'), undefined)
  }
  for (const method of ['POST', 'PATCH', 'DELETE', 'OPTIONS']) {
    assert.equal(movedTo(method, '/a', '//a'), undefined)
    assert.equal(movedTo(method, '/a', '/a'), undefined)
  }
})

test('an unknown path says whether another method would work', () => {
  const nothingAt = (method: string, url: string) => {
    const { code, message, headers } = makePaths().nothingAt({ method, url } as FastifyRequest)
    return [code, message, headers]
  }
  // The route of all paths allows OPTIONS, so it is named everywhere.
  for (const [method, url, allow] of [
    ['GET', '/api/payment', 'POST, OPTIONS'],
    ['GET', '/api/payment?a=1', 'POST, OPTIONS'],
    ['GET', '//api//payment/?a=1', 'OPTIONS'],
    ['POST', '/api/transaction/a', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/transaction/a/b', 'OPTIONS'],
  ] as const) {
    const message = `${method} is not allowed here, use ${allow}`
    assert.deepEqual(nothingAt(method, url), ['method_not_allowed', message, { allow }], url)
  }
})

test('without a catch-all route, unknown paths are not found and odd ones are matched by their tidy form', () => {
  const paths = makeKnownPaths()
  for (const [method, url] of routes.slice(0, -1)) paths.add({ method, url } as RouteOptions)
  paths.add({ method: 'GET', url: '/api/payment/:number/receipt' } as RouteOptions)
  paths.add({ method: 'GET', url: '/files/*' } as RouteOptions)
  const nothingAt = (url: string) => {
    const { code, message, headers } = paths.nothingAt({ method: 'PUT', url } as FastifyRequest)
    return headers['allow'] ?? `${code}: ${message}`
  }
  const nothing = 'not_found: Nothing exists at this URL: see /docs'
  assert.deepEqual(
    Object.fromEntries(
      [
        '/nothing',
        '/api',
        '/aXjson',
        '/x/api/payment',
        '/api/payment/7',
        '/api/payment/7/x/receipt',
        '/api/payment?/x',
        '//api/payment/',
        '/api/transaction/',
        '/api/projects/',
        '/files/a/b',
      ].map((url) => [url, nothingAt(url)]),
    ),
    {
      '/nothing': nothing,
      '/api': nothing,
      '/aXjson': nothing,
      '/x/api/payment': nothing,
      '/api/payment/7': nothing,
      '/api/payment/7/x/receipt': nothing,
      '/api/payment?/x': 'POST',
      '//api/payment/': 'POST',
      '/api/transaction/': 'GET, HEAD',
      '/api/projects/': 'PATCH, DELETE',
      '/files/a/b': 'GET',
    },
  )
})
