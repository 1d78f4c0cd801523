import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { catalogue } from '../../src/app/commands/catalogue.ts'
import { findCommand } from '../../src/cli/terminal/command.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { lastBackupAt, noteBackup } from '../../src/platform/database/watch/installation-times.ts'
import { call, openHouse } from '../support/house.ts'

// What ops/ asks Prometheus for: a metric that was renamed would leave an empty panel, or an alert that never comes.

const at = (path: string): string => fileURLToPath(new URL(`../../ops/${path}`, import.meta.url))
const alerts = at('prometheus/alerts.yaml')

type Rule = {
  alert: string
  expr: string
  labels: object
  annotations: { summary: string }
}
type Rules = { groups: { rules: Rule[] }[] }
type Board = { panels: { title: string; targets: { expr: string }[] }[] }

function readRules(): Rule[] {
  return (parse(readFileSync(alerts, 'utf8')) as Rules).groups.flatMap((group) => group.rules)
}

function expressions(): [string, string][] {
  const rules = readRules()
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

test('commands in alerts exist with their options', async () => {
  const found = readRules().flatMap(({ annotations }) => [
    ...annotations.summary.matchAll(/florin ([a-z]+)((?: [a-z]+)*)((?: --[a-z]+)*)/g),
  ])
  assert.ok(found.length >= 3)
  for (const [line, name = '', , options = ''] of found) {
    const help = (await findCommand(catalogue, name)?.load())?.help ?? ''
    for (const option of options.split(' ').filter(Boolean)) assert.ok(help.includes(option), line)
    assert.notEqual(help, '', line)
  }
})

test('metrics say whether a process can serve, and when the last backup was', async (t) => {
  const house = await openHouse()
  t.after(() => house.close())
  const before = await call(`${house.url}/metrics`)
  assert.match(before.text, /^florin_ready 1$/m)
  assert.match(before.text, /^florin_last_backup_timestamp_seconds 0$/m)

  await noteBackup(house.db)
  const other = await openHouse({ databaseUrl: house.databaseUrl })
  t.after(() => other.close())
  await house.db.query(sql`alter table schema_migrations rename to elsewhere`)
  const { text } = await call(`${other.url}/metrics`)
  assert.match(text, /^florin_ready 0$/m)
  const backedUp = Date.parse((await lastBackupAt(house.db)) ?? '') / 1000
  const [, shown] = /^florin_last_backup_timestamp_seconds (.+)$/m.exec(text) ?? []
  assert.equal(Number(shown), backedUp)
})

type Series = { series: string; values: string }

/** `fires`: after forty minutes of these series, as promtool computes it. */
const cases: readonly { alert: string; series: Series[]; fires: boolean; labels?: object }[] = [
  { alert: 'FlorinAbsent', series: [], fires: true, labels: { job: 'florin' } },
  { alert: 'FlorinAbsent', series: [{ series: 'up{job="florin"}', values: '1x60' }], fires: false },
  {
    alert: 'FlorinNotReady',
    series: [{ series: 'florin_ready{instance="a"}', values: '0x60' }],
    fires: true,
    labels: { instance: 'a' },
  },
  {
    alert: 'FlorinNotReady',
    series: [{ series: 'florin_ready{instance="a"}', values: '1x60' }],
    fires: false,
  },
  // promtool's clock begins at 0, so a backup of the far past is one before it.
  {
    alert: 'FlorinBackupOld',
    series: [{ series: 'florin_last_backup_timestamp_seconds', values: '-200000x60' }],
    fires: true,
  },
  {
    alert: 'FlorinBackupOld',
    series: [{ series: 'florin_last_backup_timestamp_seconds', values: '0x60' }],
    fires: false,
  },
  ...[14, 16].map((free) => ({
    alert: 'FlorinDiskNearlyFull',
    series: [
      {
        series: 'node_filesystem_avail_bytes{instance="a",mountpoint="/var",fstype="ext4"}',
        values: `${free}x60`,
      },
      {
        series: 'node_filesystem_size_bytes{instance="a",mountpoint="/var",fstype="ext4"}',
        values: '100x60',
      },
    ],
    fires: free < 15,
    labels: { instance: 'a', mountpoint: '/var', fstype: 'ext4' },
  })),
]

test('promtool finds that the new alerts fire when they should', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-alerts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const rules = new Map(readRules().map(({ alert, labels, annotations }) => [alert, { labels, annotations }]))
  const tests = cases.map(({ alert, series, fires, labels = {} }) => {
    const own = rules.get(alert)
    const filled = JSON.stringify(own?.annotations).replaceAll(
      /\{\{ \$labels\.(\w+) \}\}/g,
      (_, name: string) => String((labels as Record<string, string>)[name]),
    )
    const expected = {
      exp_labels: { ...own?.labels, ...labels },
      exp_annotations: JSON.parse(filled) as object,
    }
    return {
      interval: '1m',
      input_series: series,
      alert_rule_test: [{ eval_time: '40m', alertname: alert, exp_alerts: fires ? [expected] : [] }],
    }
  })
  const file = join(folder, 'tests.yaml')
  writeFileSync(file, JSON.stringify({ rule_files: [alerts], evaluation_interval: '1m', tests }))
  const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  })
  if (error) return t.diagnostic('promtool is not installed: it was not asked whether alerts fire')
  assert.equal(status, 0, stdout + stderr)
})
