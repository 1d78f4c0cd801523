import { createInterface } from 'node:readline/promises'
import { Stopped } from './stopped.ts'
import { standard } from './standard.ts'

// Questions go to standard error: standard output belongs to the result.

export type Terminal = {
  readonly input: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }
  readonly output: NodeJS.WritableStream & { isTTY?: boolean }
}

const controlC = '\u0003'
const controlD = '\u0004'
const erase = new Set(['\u007f', '\b'])

function ownTerminal(): Terminal {
  const { stdin, stderr } = standard()
  return { input: stdin, output: stderr }
}

/** Whether there is a user at the terminal. */
export function canAsk({ input, output }: Terminal = ownTerminal()): boolean {
  return input.isTTY === true && output.isTTY === true
}

/** For secrets: the input isn't shown. */
export async function askHidden(question: string, terminal: Terminal = ownTerminal()): Promise<string> {
  const { input, output } = terminal
  output.write(question)
  input.setRawMode?.(true)
  input.setEncoding('utf8')
  try {
    return await readLine(input)
  } finally {
    input.setRawMode?.(false)
    input.pause()
    output.write('\n')
  }
}

async function readLine(input: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed = ''
  const read = (characters: string): void => {
    for (const character of characters) {
      if (character === '\r' || character === '\n' || character === controlD) return resolve(typed)
      if (character === controlC) return reject(new Stopped('SIGINT', 'Stopped. Nothing was done.'))
      if (erase.has(character)) typed = typed.slice(0, -1)
      else if (character >= ' ') typed += character
    }
  }
  const end = (): void => resolve(typed)
  input.on('data', read)
  input.on('end', end)
  // A question before this one left it paused, and a listener alone does not wake it.
  input.resume()
  try {
    return await promise
  } finally {
    input.off('data', read)
    input.off('end', end)
  }
}

/** No is the answer to anything but yes. */
export async function confirm(question: string, terminal: Terminal = ownTerminal()): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `, terminal)) ?? '')
}

/** Undefined after Ctrl-C or the end of the input. */
export async function ask(
  question: string,
  { input, output }: Terminal = ownTerminal(),
): Promise<string | undefined> {
  const lines = createInterface({ input, output })
  const stopped = new AbortController()
  lines.on('SIGINT', () => stopped.abort())
  lines.on('close', () => stopped.abort())
  try {
    return (await lines.question(question, { signal: stopped.signal })).trim()
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    output.write('\n')
    return undefined
  } finally {
    lines.close()
  }
}
