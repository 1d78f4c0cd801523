import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { drawSecret, signatureHeaders } from '../../src/core/notifications/ipn/signature.ts'
import { readSnippet } from '../../src/guide/snippets/read-snippets.ts'
import { canRun, runProgram, type Ending } from '../support/languages.ts'

// The code that merchants copy to verify notifications, run as it stands in the guide, against honest and hostile
// requests. It must say yes or no to every one: who can make it throw can fill a merchant's log.

const folder = mkdtempSync(join(tmpdir(), 'florin-snippets-'))
after(() => rmSync(folder, { recursive: true }))

type Case = { says: string; body: string; headers: Record<string, string>; secret: string; good: boolean }

const secret = drawSecret()
const old = drawSecret()
const body =
  '{"event":"payment.success","customization":{"title":"Tea & “cake” ☕"},"meta":{"n":12345678901234567890}}'
const now = new Date()
const signed = (at: Date, secrets: string[]) => signatureHeaders({ id: 'evt_1', body, at }, secrets)
const fresh = signed(now, [secret])
const right = fresh['webhook-signature'] ?? ''
const other = signed(now, [old])['webhook-signature'] ?? ''

function believed(says: string, headers: Record<string, string>, key = secret): Case {
  return { says, body, headers, secret: key, good: true }
}
function refused(says: string, changes: Record<string, string>, key = secret): Case {
  return { says, body, headers: { ...fresh, ...changes }, secret: key, good: false }
}
const at = (seconds: number): Record<string, string> =>
  signed(new Date(now.getTime() + seconds * 1000), [secret])

const cases: Case[] = [
  believed('a fresh one', fresh),
  believed('the new secret while rolling', signed(now, [secret, old])),
  believed('the old secret while rolling', signed(now, [secret, old]), old),
  believed('the right one after a thousand wrong ones', {
    ...fresh,
    'webhook-signature': `${'v1,AAAA '.repeat(1000)}${right}`,
  }),
  believed('one beside another version', { ...fresh, 'webhook-signature': `v1a,abc= ${right} v2,%%%` }),
  believed('one beside letters beyond ASCII', { ...fresh, 'webhook-signature': `v1,schlüssel☕ ${right}` }),
  refused('another secret', {}, old),
  { ...refused('a changed body', {}), body: body.replace('Tea', 'tea') },
  refused('another id', { 'webhook-id': 'evt_2' }),
  refused('an old one', at(-900)),
  refused('one of the future', at(900)),
  { says: 'no headers', body, headers: {}, secret, good: false },
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) => [
    { ...refused(`no ${name}`, {}), headers: without(name) },
    refused(`an empty ${name}`, { [name]: '' }),
    refused(`a blank ${name}`, { [name]: ' ' }),
    refused(`a ${name} beyond ASCII`, { [name]: 'ä☕💥' }),
    refused(`a ${name} of Latin-1, as servers hand it on`, { [name]: '\u00e9\u00ff\u0080' }),
    refused(`a huge ${name}`, { [name]: '9'.repeat(8000) }),
  ]),
  refused('digits of another script', { 'webhook-timestamp': '١٧٩٤٧٥١٥٠١' }),
  refused('raised digits, which Python takes for digits', { 'webhook-timestamp': '¹²³' }),
  refused('a time with a sign', { 'webhook-timestamp': `+${fresh['webhook-timestamp']}` }),
  refused('a time with a line break', { 'webhook-timestamp': `${fresh['webhook-timestamp']}\n` }),
  refused('a time that is no number', { 'webhook-timestamp': 'NaN' }),
  refused('a time with an exponent', { 'webhook-timestamp': '1e9' }),
  refused('wrong base64', { 'webhook-signature': 'v1,%%%not-base64%%%' }),
  refused('base64 that is cut off', { 'webhook-signature': right.slice(0, -3) }),
  refused('a prefix of the right one', { 'webhook-signature': right.slice(0, 10) }),
  refused('the right one without its version', { 'webhook-signature': right.replace('v1,', '') }),
  refused('the right one of another version', { 'webhook-signature': right.replace('v1,', 'v2,') }),
  refused('the version alone', { 'webhook-signature': 'v1,' }),
  refused('commas alone', { 'webhook-signature': ',,, , ,' }),
  refused('a signature of another secret', { 'webhook-signature': other }),
  refused('thousands of wrong ones', { 'webhook-signature': `${other} `.repeat(2000) }),
]

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fresh).filter(([key]) => key !== name))
}

async function agree(context: TestContext, ending: Ending, files: Record<string, string>): Promise<void> {
  if (!canRun(ending, context)) return
  const { output, errors } = await runProgram(ending, folder, files, { input: JSON.stringify(cases) })
  assert.match(output, /^\s*\[/, errors)
  const answers = JSON.parse(output) as boolean[]
  const wrong = cases.filter(({ good }, index) => answers[index] !== good).map(({ says }) => says)
  assert.deepEqual(wrong, [])
  assert.equal(answers.length, cases.length)
}

test('the Node code accepts exactly the valid signatures', async (context) => {
  const main = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(cases.map((one) => verifyNotification(Buffer.from(one.body), one.headers, one.secret))))`
  await agree(context, 'js', { 'verify.mjs': readSnippet('verify.js') + main })
})

test('the JavaScript client accepts exactly the valid signatures', async (context) => {
  const main = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0, 'utf8'))
const read = await Promise.all(cases.map((one) => readNotification(Buffer.from(one.body), one.headers, one.secret)))
process.stdout.write(JSON.stringify(read.map((event) => event !== undefined)))`
  await agree(context, 'client.js', { 'verify.client.js': readSnippet('verify.client.js') + main })
})

test('the PHP client accepts exactly the valid signatures', async (context) => {
  const main = `
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($one) => read_notification($one['body'], $one['headers'], $one['secret']) !== null, $cases));
`
  await agree(context, 'client.php', { 'verify.client.php': readSnippet('verify.client.php') + main })
})

test('the Python code accepts exactly the valid signatures', async (context) => {
  const main = `

import json, sys
cases = json.loads(sys.stdin.buffer.read())
print(json.dumps([verify_notification(one["body"].encode(), one["headers"], one["secret"]) for one in cases]))
`
  await agree(context, 'py', { 'verify.py': readSnippet('verify.py') + main })
})

test('the PHP code accepts exactly the valid signatures', async (context) => {
  const main = `
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($one) => verify_notification($one['body'], $one['headers'], $one['secret']), $cases));
`
  await agree(context, 'php', { 'verify.php': readSnippet('verify.php') + main })
})

test('the Ruby code accepts exactly the valid signatures', async (context) => {
  const main = `
require "json"
cases = JSON.parse($stdin.binmode.read.force_encoding("UTF-8"))
puts JSON.generate(cases.map { |one| verify_notification(one["body"], one["headers"], one["secret"]) })
`
  await agree(context, 'rb', { 'verify.rb': `${readSnippet('verify.rb')}\n${main}` })
})

test('the Go code accepts exactly the valid signatures', async (context) => {
  const main = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Body, Secret string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		answers = append(answers, VerifyNotification([]byte(one.Body), headers, one.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`
  const verify = readSnippet('verify.go').replace('package florin', 'package main')
  await agree(context, 'go', { 'main.go': main, 'verify.go': verify })
})
