import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { drawSecret, signatureHeaders } from '../../src/notifications/ipn/signature.ts'

// The snippets that merchants copy, run as they stand in the guide.

const guide = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'florin-snippets-'))
after(() => rmSync(folder, { recursive: true }))

type Case = { says: string; body: string; headers: Record<string, string>; secret: string; good: boolean }

const secret = drawSecret()
const old = drawSecret()
const body =
  '{"event":"payment.success","customization":{"title":"Tea & “cake” ☕"},"meta":{"n":12345678901234567890}}'
const signed = (at: Date, secrets: string[]) => signatureHeaders({ id: 'evt_1', body, at }, secrets)
const now = new Date()
const cases: Case[] = [
  { says: 'a fresh one', body, headers: signed(now, [secret]), secret, good: true },
  { says: 'the new secret while rolling', body, headers: signed(now, [secret, old]), secret, good: true },
  {
    says: 'the old secret while rolling',
    body,
    headers: signed(now, [secret, old]),
    secret: old,
    good: true,
  },
  { says: 'another secret', body, headers: signed(now, [secret]), secret: old, good: false },
  {
    says: 'a changed body',
    body: body.replace('Tea', 'tea'),
    headers: signed(now, [secret]),
    secret,
    good: false,
  },
  {
    says: 'an old one',
    body,
    headers: signed(new Date(now.getTime() - 900_000), [secret]),
    secret,
    good: false,
  },
  { says: 'no headers', body, headers: {}, secret, good: false },
  {
    says: 'an empty signature',
    body,
    headers: { ...signed(now, [secret]), 'webhook-signature': '' },
    secret,
    good: false,
  },
]

function snippet(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1]
  assert.ok(found, `the guide has a snippet in ${language}`)
  return found
}

function agree(command: string, file: string, program: string): void {
  const path = join(folder, file)
  writeFileSync(path, program)
  const input = JSON.stringify(cases)
  const answers = JSON.parse(execFileSync(command, [path], { input, encoding: 'utf8' })) as boolean[]
  for (const [index, { says, good }] of cases.entries()) assert.equal(answers[index], good, says)
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0

test('the Node snippet believes what it should and nothing else', () => {
  const main = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(cases.map((one) => verifyNotification(Buffer.from(one.body), one.headers, one.secret))))`
  agree(process.execPath, 'verify.mjs', snippet('js') + main)
})

test('the Python snippet does, where there is a Python', (context) => {
  if (!has('python3')) return context.diagnostic('no python3 on this machine')
  const main = `
import json, sys
cases = json.load(sys.stdin)
print(json.dumps([verify_notification(one["body"].encode(), one["headers"], one["secret"]) for one in cases]))
`
  agree('python3', 'verify.py', snippet('python') + main)
})

test('the PHP snippet does, where there is a PHP', (context) => {
  if (!has('php')) return context.diagnostic('no php on this machine')
  const main = `
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($one) => verify_notification($one['body'], $one['headers'], $one['secret']), $cases));
`
  agree('php', 'verify.php', snippet('php') + main)
})
