// Says what a long command is doing: on a terminal in one line that changes, elsewhere in a plain line now and then.
// Used while packages are installed too, so it runs on any Node from 20 on and needs no package.

const TICK_MS = 1000

/**
 * @typedef {object} Output
 * @property {boolean | undefined} [isTTY]
 * @property {number | undefined} [columns]
 * @property {(text: string) => unknown} write
 */

/**
 * @typedef {object} StatusLine
 * @property {(text: string | (() => string)) => void} show what is being done from now on; a function is asked again
 *   whenever the line is written
 * @property {(text: string) => void} print lines that stay
 * @property {() => void} end takes the changing line away
 */

/**
 * @param {{ everySeconds?: number, showsSeconds?: boolean, output?: Output, results?: Output }} [options]
 *   `everySeconds`: how often a plain line comes where there is no terminal; `showsSeconds`: whether lines end with the
 *   seconds since the start
 * @returns {StatusLine}
 */
export function openStatusLine({
  everySeconds = 10,
  showsSeconds = true,
  output = process.stderr,
  results = process.stdout,
} = {}) {
  const terminal = output.isTTY === true
  const began = Date.now()
  /** @type {() => string} */
  let current = () => ''

  function line() {
    const seconds = showsSeconds ? `  ${Math.round((Date.now() - began) / 1000)} s` : ''
    const text = current()
    if (!terminal) return `${text}${seconds}\n`
    // A line that wraps could not be taken back.
    const room = Math.max(10, (output.columns || 80) - seconds.length - 1)
    return `\r\u001b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}${seconds}`
  }
  const write = () => current() !== '' && output.write(line())

  const timer = setInterval(write, terminal ? TICK_MS : everySeconds * 1000)
  // Whoever fails without saying so must not be kept alive by his own clock.
  timer.unref()
  return {
    show(text) {
      const first = current() === ''
      current = typeof text === 'string' ? () => text : text
      if (terminal || first) write()
    },
    print(text) {
      if (terminal) output.write('\r\u001b[K')
      results.write(text)
      if (terminal) write()
    },
    end() {
      clearInterval(timer)
      if (terminal && current() !== '') output.write('\r\u001b[K')
      current = () => ''
    },
  }
}
