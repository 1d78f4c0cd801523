// Ending a connection only says that we are done: the client may ignore it and keep the connection, with our
// descriptor, for ever. 500 of those were seen to starve a server of descriptors.

/** Time for the last answer to reach a customer behind a slow line: some 600 bytes. */
export const closingGraceMs = 5_000

type Closing = {
  readonly destroyed: boolean
  end(text: string): unknown
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** Sends the last words, and cuts the connection if the other side does not close its half in time. */
export function closeSoon(socket: Closing, lastWords = '', graceMs = closingGraceMs): void {
  if (socket.destroyed) return // No test: ending a closed socket does nothing
  const timer = setTimeout(() => socket.destroy(), graceMs).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.end(lastWords)
}
