import type { IncomingMessage, Server, ServerResponse } from 'node:http'

// What a connection was last asked: a broken request is refused after the answers that are owed before it, and a
// connection that waits for nothing makes room for a new one.

export type LastAnswers = { latest?: ServerResponse; before?: ServerResponse }

const answers = Symbol('last answers')

type Socket = object & { [answers]?: LastAnswers }

export function keepLastAnswers(server: Server): void {
  server.on('request', noteRequest)
}

/** For each request whose head was read. */
export function noteRequest({ socket }: Pick<IncomingMessage, 'socket'>, response: ServerResponse): void {
  const last = lastAnswers(socket)
  if (last.latest) last.before = last.latest
  last.latest = response
}

export function lastAnswers(socket: Socket): LastAnswers {
  return (socket[answers] ??= {})
}
