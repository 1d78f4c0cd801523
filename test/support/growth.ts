import assert from 'node:assert/strict'

// Whether work grows with the length of a text, and not with its square. Only processor time counts, and
// only as a ratio, so that a slow, busy or frozen machine changes nothing.

const [shortText, longText] = [4_096, 65_536]

/** Sixteen times the text takes 16 times as long when work is linear, and 256 times when it is quadratic. */
const ratioMax = 64
const roundsMax = 4
/** Shorter measurements are noise, and are added up. */
const leastMicroseconds = 4_000

/** `work` takes a text of about this length. */
export async function assertLinear(what: string, work: (length: number) => unknown): Promise<void> {
  const repeats = await repeatsFor(work)
  let [short, long] = [0, 0]
  for (let round = 0; round < roundsMax; round += 1) {
    short += await timeOf(work, shortText, repeats)
    long += await timeOf(work, longText, repeats)
    if (long < ratioMax * short) return
  }
  assert.fail(`${what}: 64 KiB take ${(long / short).toFixed(1)} times as long as 4 KiB`)
}

/** How often the short text's work must be done to be measured. */
async function repeatsFor(work: (length: number) => unknown): Promise<number> {
  for (let repeats = 1; ; repeats *= 2) {
    if ((await timeOf(work, shortText, repeats)) >= leastMicroseconds) return repeats
  }
}

async function timeOf(work: (length: number) => unknown, length: number, repeats: number): Promise<number> {
  const before = process.cpuUsage()
  for (let done = 0; done < repeats; done += 1) await work(length)
  const { user, system } = process.cpuUsage(before)
  return user + system
}
