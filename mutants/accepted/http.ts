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
  {
    path: 'src/http/csv/send-csv.ts',
    change: 'if (left[- > -]{+ >= +}0) running.set(whose, left)',
    reason: 'No export under way is the same as none that was ever asked for; this saves the entry.',
  },
  {
    path: 'src/http/html.ts',
    change: 'index[- < -]{+ <= +}values.length',
    reason: 'Behind the last value there is nothing, and nothing is drawn for it.',
  },
  {
    path: 'src/http/html.ts',
    change: '[-squeezed.set(strings, parts)-]{+void 0+}',
    reason: 'Squeezed anew it is the same; this saves the time.',
  },
  {
    path: 'src/http/html.ts',
    change: 'if ([-!special.test(text)-]{+false+}) return text',
    reason: 'A text without such letters comes out as it went in; this saves the time.',
  },
  {
    path: 'src/http/note-answer.ts',
    change: '[-known.set(name, labels)-]{+void 0+}',
    reason: 'Made anew they are the same; this saves an object for each answer.',
  },
  {
    path: 'src/http/page.ts',
    change: 'isAscii: [-true-]{+false+}',
    reason: 'Pages are ASCII, so that their letters are as many as their bytes; this saves counting them.',
  },
  {
    path: 'src/http/send-text.ts',
    change: '[-reply.hijack()-]{+void 0+}',
    reason: 'Fastify takes an answer that was ended for sent; this saves it the look.',
  },
  {
    path: 'src/http/send-text.ts',
    change: 'if ([-error-]{+false+}) void reply.send(error)',
    reason: 'Compressing a text that is in memory does not fail: the type of the callback asks for it.',
  },
  {
    path: 'src/http/server.ts',
    change: 'trustProxy: options.trustedProxies.length[- > -]{+ >= +}0',
    reason: 'With an empty list nobody is trusted either; this saves asking it.',
  },
  {
    path: 'src/http/server.ts',
    change: '[-server.setNotFoundHandler(answerStray)-]{+void 0+}',
    reason: 'A second lock: the hook before it answers already.',
  },
  {
    path: 'src/http/server.ts',
    change: 'at[- < -]{+ <= +}rawHeaders.length',
    reason: 'Behind the last header there is none, and it is not called Host.',
  },
  {
    path: 'src/http/sockets/limit-connections.ts',
    change: 'return [-false-]{+true+}',
    reason:
      'Nobody can write on a connection that was reset; this saves the parser that Node would make for it.',
  },
  {
    path: 'src/http/sockets/limit-connections.ts',
    change: 'if ([-left === 0-]{+false+}) open.delete(network)',
    reason:
      'An address without connections may have as many as one that never had any; this saves the entry.',
  },
]
