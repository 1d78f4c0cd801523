// As much of PostgreSQL's protocol as it takes to see that a commit was answered.

export type Message = { readonly type: string; readonly bytes: Buffer }

const headBytes = 5

/** Cuts a server's stream into whole messages; what is left over waits for the next piece. */
export function makeSplitter(): (piece: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0)
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const messages: Message[] = []
    while (rest.length >= headBytes) {
      const size = 1 + rest.readInt32BE(1)
      if (rest.length < size) break
      messages.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, size) })
      rest = rest.subarray(size)
    }
    return messages
  }
}

export type CommitWatch = {
  /** What may be passed on now; `committed` when the answer to a commit of some change ends with it. */
  read(message: Message): { readonly pass: Buffer[]; readonly committed: boolean }
}

// An answer is held back until ReadyForQuery ends it, so that "cut" means that the client has read none of it.
const partsOfAnAnswer = new Set(['1', '2', '3', 'C', 'D', 'T', 'n', 't', 'I'])

export function watchCommits(): CommitWatch {
  let held: Buffer[] = []
  let changed = false
  return {
    read({ type, bytes }) {
      if (type === 'C') changed ||= isChange(bytes.subarray(headBytes, -1).toString('latin1'))
      if (partsOfAnAnswer.has(type)) {
        held.push(bytes)
        return { pass: [], committed: false }
      }
      const pass = [...held, bytes]
      held = []
      const idle = type === 'Z' && bytes[headBytes] === 0x49 // 'I': in no transaction
      const committed = idle && changed
      if (type === 'Z') changed = false
      return { pass, committed }
    },
  }
}

/** A transaction of one statement has no COMMIT of its own: its answer comes after its commit. */
function isChange(tag: string): boolean {
  return tag === 'COMMIT' || /^(INSERT 0|UPDATE|DELETE) [1-9]/.test(tag)
}
