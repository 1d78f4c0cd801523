import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNext } from './next-path.ts'

test('after sign-in a dashboard page opens with its query', () => {
  for (const path of [
    '/dashboard',
    '/dashboard/account',
    '/dashboard/12345678/test/audit?what=key.&since=2026-11-15',
  ])
    assert.equal(readNext(path, ''), path)
  assert.equal(readNext('/pay/dashboard/account', '/pay'), '/pay/dashboard/account')
})

test('no address outside the dashboard is accepted, however it is written', () => {
  const others = [
    undefined,
    '',
    '/',
    '/docs',
    '/dashboardx',
    'dashboard',
    'https://evil.example/dashboard',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    '/dashboard//evil.example',
    '/dashboard/../../evil',
    '/dashboard/..//evil.example',
    '/dashboard\r\nset-cookie: x=1',
    '/dashboard/\u0000',
    'javascript:alert(1)//dashboard',
    '/dashboard@evil.example',
    ' /dashboard',
    `/dashboard/${'a'.repeat(500)}`,
  ]
  for (const path of others) assert.equal(readNext(path, ''), undefined, String(path))
  assert.equal(readNext('/dashboard', '/pay'), undefined)
})
