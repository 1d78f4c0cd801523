import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { makeBrokenRequests, type BrokenRequests } from './broken-request.ts'

/** A connection that keeps what was said last on it. */
class Connection extends EventEmitter {
  destroyed = false
  writable = true
  readonly said: string[] = []
  end(text: string): void {
    this.said.push(text)
    this.writable = false
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
  get statuses(): number[] {
    return this.said.map((text) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0))
  }
}

/** An answer on its way, to a request whose body came in full or not. */
class Answer extends EventEmitter {
  readonly req: { complete: boolean }
  readonly headersSent: boolean
  closed = false
  constructor(isComplete: boolean, headersSent = false) {
    super()
    this.req = { complete: isComplete }
    this.headersSent = headersSent
  }
  close(): void {
    this.closed = true
    this.emit('close')
  }
}

const open = (): BrokenRequests => makeBrokenRequests({ 'x-frame-options': 'DENY' }, () => 'req_1')

function see(broken: BrokenRequests, socket: Connection, ...answers: readonly Answer[]): void {
  for (const answer of answers) {
    broken.seen({ socket } as unknown as IncomingMessage, answer as unknown as ServerResponse)
  }
}

function failure(code?: string): Error & { code?: string } {
  return Object.assign(new Error('broken'), code !== undefined && { code })
}

test('a request that isn’t HTTP gets an error with default headers and is closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [code, status, reason, body] of [
    ['HPE_INVALID_METHOD', 400, 'Bad Request', ['malformed_body', 'The request is not valid HTTP']],
    [undefined, 400, 'Bad Request', ['malformed_body', 'The request is not valid HTTP']],
    [
      'HPE_HEADER_OVERFLOW',
      431,
      'Request Header Fields Too Large',
      ['headers_too_large', 'The request headers are too large'],
    ],
    [
      'ERR_HTTP_REQUEST_TIMEOUT',
      408,
      'Request Timeout',
      ['request_timeout', 'The request took too long to arrive: send it again'],
    ],
  ] as const) {
    const socket = new Connection()
    open().answer(failure(code), socket)
    const json = JSON.stringify({ status: 'failed', message: body[1], data: null, code: body[0] })
    assert.deepEqual(socket.said, [
      [
        `HTTP/1.1 ${status} ${reason}`,
        'x-frame-options: DENY',
        'x-request-id: req_1',
        'content-type: application/json; charset=utf-8',
        `content-length: ${json.length}`,
        'connection: close',
        '',
        json,
      ].join('\r\n'),
    ])
  }
})

test('a client that has gone or stopped listening is sent nothing', () => {
  const gone = Object.assign(new Connection(), { destroyed: true })
  const deaf = Object.assign(new Connection(), { writable: false })
  for (const [socket, code] of [
    [new Connection(), 'ECONNRESET'],
    [gone, 'HPE_INVALID_METHOD'],
    [deaf, 'HPE_INVALID_METHOD'],
  ] as const) {
    open().answer(failure(code), socket)
    assert.deepEqual([socket.said, socket.destroyed], [[], true])
  }
})

test('a broken request is refused once, however much of it arrives', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const broken = open()
  const socket = new Connection()
  const owed = new Answer(true)
  see(broken, socket, owed)
  for (let part = 0; part < 3; part += 1) broken.answer(failure(), socket)
  assert.equal(owed.listenerCount('close'), 1, 'a trickle must not fill the memory')
  owed.close()
  assert.deepEqual(socket.statuses, [400])
})

test('earlier requests are answered before a broken one is refused', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const broken = open()
  const socket = new Connection()
  const [first, second] = [new Answer(true), new Answer(true)]
  see(broken, socket, first, second)
  broken.answer(failure(), socket)
  first.close()
  assert.deepEqual(socket.statuses, [], 'the second is still owed')
  second.close()
  assert.deepEqual(socket.statuses, [400])
})

test('a truncated body is refused at once, or after the previous response', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const broken = open()
  const [alone, behind, later] = [new Connection(), new Connection(), new Connection()]
  see(broken, alone, new Answer(false))
  broken.answer(failure(), alone)
  assert.deepEqual(alone.statuses, [400])

  const before = new Answer(true)
  see(broken, behind, before, new Answer(false))
  broken.answer(failure(), behind)
  assert.deepEqual(behind.statuses, [])
  before.close()
  assert.deepEqual(behind.statuses, [400])

  const done = new Answer(true, true)
  see(broken, later, done, new Answer(false))
  done.close()
  broken.answer(failure(), later)
  assert.deepEqual(later.statuses, [400], 'nothing is owed any more')
})

test('a request already answered is not refused again, and a complete response is left alone', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const broken = open()
  const refusedByHead = new Connection()
  see(broken, refusedByHead, new Answer(false, true))
  broken.answer(failure(), refusedByHead)
  assert.deepEqual(refusedByHead.said, [''], 'it is closed without another word')

  const next = new Connection()
  const answered = new Answer(true, true)
  see(broken, next, answered)
  answered.close()
  broken.answer(failure(), next)
  assert.deepEqual(next.statuses, [400], 'the broken one is another')
})

test('a connection closed by its last response is not written to', () => {
  const broken = open()
  const socket = new Connection()
  const owed = new Answer(true)
  see(broken, socket, owed)
  broken.answer(failure(), socket)
  socket.writable = false
  owed.close()
  assert.deepEqual(socket.said, [])
})
