import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openMailServer, type MailServer } from '../../../../test/support/mail-server.ts'
import { makePostMail, type Mail } from './send-mail.ts'

const mail: Mail = {
  id: 'msg_1',
  from: { name: 'Corner shop', address: 'no-reply@pay.example.com' },
  to: 'ada@example.com',
  subject: 'Receipt',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
}

const patienceMs = 600_000

/** What is returned ends the time of a mail that is being sent; the mail server's own timers go on. */
function watchTime(t: TestContext): () => void {
  const { mock } = t.mock.method(globalThis, 'setTimeout')
  return () => mock.calls.find(({ arguments: [, ms] }) => ms === patienceMs)?.arguments[0]()
}

async function posted(changed: Partial<Mail>): Promise<MailServer['accepted'][number]> {
  const server = await openMailServer()
  try {
    await makePostMail(server.url, patienceMs)({ ...mail, ...changed })
    const [accepted, ...more] = server.accepted
    assert.ok(accepted)
    assert.deepEqual(more, [])
    return accepted
  } finally {
    await server.close()
  }
}

const headerOf = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)\\r$`, 'im').exec(raw.split('\r\n\r\n')[0] ?? '')?.[1]

test('a mail has its id, is marked as automatic, and goes to one address', async () => {
  const { from, to, raw } = await posted({})
  assert.deepEqual([from, to], ['no-reply@pay.example.com', ['ada@example.com']])
  for (const [name, value] of [
    ['Message-ID', '<msg_1@pay.example.com>'],
    ['From', 'Corner shop <no-reply@pay.example.com>'],
    ['To', 'ada@example.com'],
    ['Reply-To', undefined],
    ['Subject', 'Receipt'],
    ['Auto-Submitted', 'auto-generated'],
    ['X-Auto-Response-Suppress', 'All'],
  ] as const) {
    assert.equal(headerOf(raw, name), value, name)
  }
  assert.match(raw, /Content-Type: multipart\/alternative/)
})

test('a mail has its Reply-To and its attachments', async () => {
  const { raw } = await posted({
    replyTo: 'help@shop.example',
    attachment: { filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
  })
  assert.equal(headerOf(raw, 'Reply-To'), 'Corner shop <help@shop.example>')
  assert.match(raw, /Content-Type: application\/pdf; name=a\.pdf/)
  assert.ok(raw.includes(Buffer.from('%PDF').toString('base64')))
})

test('injected addresses or headers are refused before any connection', async () => {
  const server = await openMailServer()
  try {
    for (const odd of ['\r', '\n', '\0', ',', ';', '<', '>']) {
      await assert.rejects(makePostMail(server.url)({ ...mail, to: `ada@example.com${odd}b@example.com` }), {
        code: 'EENVELOPE',
        responseCode: 553,
        command: 'RCPT TO',
      })
    }
    assert.deepEqual(server.accepted, [])
  } finally {
    await server.close()
  }
})

test('a silent mail server is abandoned after the timeout, and the connection is cut', async (t) => {
  const endTime = watchTime(t)
  let cut = (): void => {}
  const isCut = new Promise<void>((resolve) => {
    cut = resolve
  })
  const server = await openMailServer({ onData: endTime, onClose: () => cut() })
  try {
    await assert.rejects(makePostMail(server.url, patienceMs)(mail), {
      code: 'ETIMEDOUT',
      message: 'Too slow',
    })
    await isCut
  } finally {
    await server.close()
  }
})

test('a mail abandoned as slow is not accepted afterwards', async (t) => {
  const endTime = watchTime(t)
  let goOn = (): void => {}
  const gone = Promise.withResolvers<void>()
  const server = await openMailServer({
    onRcptTo(_, __, done) {
      goOn = done
      endTime()
    },
    onClose: () => gone.resolve(),
  })
  try {
    await assert.rejects(makePostMail(server.url, patienceMs)(mail), {
      code: 'ETIMEDOUT',
      message: 'Too slow',
    })
    goOn()
    await gone.promise
    assert.deepEqual(server.accepted, [])
  } finally {
    await server.close()
  }
})
