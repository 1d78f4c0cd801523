import { createHash } from 'node:crypto'
import { makeRateLimit, refuseIfWaiting } from '../../../../platform/http/rate-limit.ts'
import type { Picture } from '../../../merchants/pictures/pictures.ts'
import type { Paper } from '../draw-paper.ts'
import { makeDrawingThread, type DrawingThread } from './drawing-thread.ts'

// Receipts as files. Each is drawn once, on a thread of its own, and kept for as long as there is room. A file is found by what is
// written on it, so a refund or a new address of the shop makes another one.

export type ReceiptFiles = {
  /** For a customer's page: refused with 429 when this address, or all together, want more than can be drawn. */
  forPage(network: string, receipt: Receipt): Promise<Buffer>
  /** For mail, and for merchants who are signed in: waits its turn. */
  inTurn(receipt: Receipt): Promise<Buffer>
  close(): Promise<void>
}

export type Receipt = { readonly paper: Paper; readonly logo: StoredLogo | undefined }

export type StoredLogo = {
  /** A stored picture never changes under its name. */
  readonly name: string
  read(): Promise<Picture | undefined>
}

/** An office prints many receipts from one address; a file that is kept costs nothing. */
const drawnForAddress = { perSecond: 1, burst: 20 }
/** For pages, all addresses together: the last one waits about two seconds. */
export const waitingMax = 20
const retryAfterSeconds = 3
/** Some 500 receipts of 30 kB. */
const keptBytesMax = 16 * 1024 * 1024

export function makeReceiptFiles(
  now: () => number,
  thread: DrawingThread = makeDrawingThread(),
  bytesMax = keptBytesMax,
): ReceiptFiles {
  const kept = makeKept(bytesMax)
  const drawing = new Map<string, Promise<Buffer>>()
  const perAddress = makeRateLimit(drawnForAddress, now)
  let waiting = 0

  async function draw(name: string, { paper, logo }: Receipt): Promise<Buffer> {
    const file = await thread.draw(paper, await logo?.read())
    kept.keep(name, file)
    return file
  }

  async function drawOnce(name: string, receipt: Receipt): Promise<Buffer> {
    const running = drawing.get(name) ?? draw(name, receipt).finally(() => drawing.delete(name))
    drawing.set(name, running)
    return running
  }

  return {
    async forPage(network, receipt) {
      const name = nameOf(receipt)
      const file = kept.find(name) ?? drawing.get(name)
      if (file) return file
      if (waiting >= waitingMax) refuseIfWaiting(retryAfterSeconds)
      refuseIfWaiting(perAddress.take(network))
      waiting += 1
      try {
        return await drawOnce(name, receipt)
      } finally {
        waiting -= 1
      }
    },
    async inTurn(receipt) {
      const name = nameOf(receipt)
      return kept.find(name) ?? drawOnce(name, receipt)
    },
    close: async () => thread.close(),
  }
}

function nameOf({ paper, logo }: Receipt): string {
  return createHash('sha256')
    .update(JSON.stringify([logo?.name, paper]))
    .digest('base64url')
}

/** Cached files; the least recently used are evicted first. */
function makeKept(bytesMax: number) {
  const files = new Map<string, Buffer>()
  let bytes = 0
  return {
    find(name: string): Buffer | undefined {
      const file = files.get(name)
      if (!file) return undefined
      files.delete(name)
      files.set(name, file)
      return file
    },
    keep(name: string, file: Buffer): void {
      files.set(name, file)
      bytes += file.length
      for (const [oldest, { length }] of files) {
        if (bytes <= bytesMax) return
        files.delete(oldest)
        bytes -= length
      }
    },
  }
}
