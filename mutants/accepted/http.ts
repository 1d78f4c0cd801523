import type { Accepted } from './accepted.ts'

export const http: readonly Accepted[] = [
  {
    path: 'src/http/csv/send-csv.ts',
    change: '{ objectMode: [-false-]{+true+} }',
    reason: 'The pieces are text either way; it decides how many bytes wait, and not what is sent.',
  },
  {
    path: 'src/http/log.ts',
    change: 'const pageMs = [-200-]{+201+}',
    reason: 'At most a fifth of a second late: nobody measures a millisecond of it.',
  },
  {
    path: 'src/http/log.ts',
    change: "if (page === ''[- || -]{+ && +}!isOpen) return",
    reason: 'An empty page writes nothing, and an output that was closed is read by nobody.',
  },
  {
    path: 'src/http/log.ts',
    change: 'isOpen = [-false-]{+true+}',
    reason: 'Nothing is written to an output that was closed, and nobody reads it.',
  },
  {
    path: 'src/http/log.ts',
    change: 'if (page.length[- >= -]{+ > +}pageLength) turn()',
    reason: 'A letter more or less on a page.',
  },
  {
    path: 'src/http/rate-limit.ts',
    change: 'if (buckets.size[- >= -]{+ > +}bucketsMax) buckets.clear()',
    reason: 'How many callers are remembered is a matter of memory; one more is no harm.',
  },
  {
    path: 'src/http/sockets/close-soon.ts',
    change: 'if ([-socket.destroyed-]{+false+}) return',
    reason: 'Nothing happens when a socket that is gone is ended; this saves its timer.',
  },
  {
    path: 'src/http/sockets/limit-connections.ts',
    change: 'if (now - warnedAtMs[- < -]{+ <= +}warnEveryMs) return',
    reason: 'A warning a millisecond later is the same warning.',
  },
  {
    path: 'src/http/html.ts',
    change: '[-drawn.set(key, known)-]{+void 0+}',
    reason: 'Drawn anew it is the same; this saves the time.',
  },
  {
    path: 'src/http/server.ts',
    change: 'disableRequestLogging: [-true-]{+false+}',
    reason: 'What Fastify says by itself is below the level of the log it is given; this saves saying it.',
  },
  {
    path: 'src/http/send-text.ts',
    change: '[-server.decorateReply(sent, undefined)-]{+void 0+}',
    reason:
      'Told beforehand, Fastify makes replies that have the field from the start; without it they get it later.',
  },
  {
    path: 'src/http/log.ts',
    change: 'const pageLength = [-16_384-]{+16385+}',
    reason: 'A letter more or less on a page.',
  },
]
