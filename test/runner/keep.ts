// What the files of one worker share, such as a browser. Outside a worker nothing is shared: whoever opened it closes it.

type Kept = { readonly program: string; close(): Promise<void> }

let isInWorker = false
const kept: Kept[] = []

export function keepInThisProcess(): void {
  isInWorker = true
}

/** Whether files of this process share what they open. */
export function isShared(): boolean {
  return isInWorker
}

/** Open until the worker ends; `program` is what it runs. */
export function keep(one: Kept): void {
  kept.push(one)
}

export function isKept(program: string): boolean {
  return kept.some((one) => one.program === program)
}

export async function closeKept(): Promise<void> {
  await Promise.all(kept.splice(0).map(async (one) => one.close()))
}
