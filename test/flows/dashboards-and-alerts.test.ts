import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { call, openHouse } from '../support/house.ts'

// What ops/ asks Prometheus for: a metric that was renamed would leave an empty panel, or an alert that never comes.

const at = (path: string): string => fileURLToPath(new URL(`../../ops/${path}`, import.meta.url))
const alerts = at('prometheus/alerts.yaml')

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] }
type Board = { panels: { title: string; targets: { expr: string }[] }[] }

function expressions(): [string, string][] {
  const rules = (parse(readFileSync(alerts, 'utf8')) as Rules).groups.flatMap((group) => group.rules)
  const board = JSON.parse(readFileSync(at('grafana/florin.json'), 'utf8')) as Board
  return [
    ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
    ...board.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [title, expr]),
    ),
  ]
}

test('every metric used by an alert or a panel exists', async () => {
  const house = await openHouse()
  try {
    const { text } = await call(`${house.url}/metrics`)
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]))
    const missing: string[] = []
    for (const [where, expr] of expressions()) {
      const names = [...expr.matchAll(/\b(?:florin|nodejs|process)_\w+/g)].map(([name]) => name)
      for (const name of names) {
        const whole = name.replace(/_(bucket|sum|count)$/, '')
        const isThere = types.has(name) || types.get(whole) === 'histogram'
        if (!isThere) missing.push(`${where}: ${name}`)
      }
    }
    assert.deepEqual(missing, [])
  } finally {
    await house.close()
  }
})

test('every labelled counter starts at 0, and metric names say what they are', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  const { text } = await call(`${house.url}/metrics`)
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.doesNotMatch(name, /_(counter|gauge|histogram|summary)$/)
    if (type === 'counter' && name.startsWith('florin_'))
      assert.match(text, new RegExp(`^${name}(\\{.*\\})? \\d+$`, 'm'), name)
  }
  for (const line of [
    'florin_unusual_charges_total{kind="held"} 0',
    'florin_refunds_total{mode="live",connector="stripe",outcome="failed"} 0',
    'florin_delivery_tries_total{kind="mail",outcome="failed"} 0',
  ])
    assert.ok(text.includes(`\n${line}\n`), line)
  const checked = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input: text })
  if (checked.error) return t.diagnostic('promtool is not installed: the metrics were not linted by it')
  assert.equal(checked.stdout + checked.stderr, '')
})

test('promtool accepts the alerts', (t) => {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', alerts], {
    encoding: 'utf8',
  })
  if (error) {
    t.diagnostic('promtool is not installed: the alerts were not checked by it')
    return
  }
  assert.equal(status, 0, stdout + stderr)
})
