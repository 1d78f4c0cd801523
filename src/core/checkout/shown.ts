import type { HostedConnector } from '../networks/hosted.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Listener } from '../../platform/database/listen.ts'
import { fetchPicture, makePictures } from '../merchants/pictures/pictures.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { makeCheckoutStyles } from './assets/assets.ts'
import { makeReceiptFiles } from './receipt/files/receipt-files.ts'
import { makeSamples } from './sample/samples.ts'

export type ShownOptions = {
  readonly db: Database
  readonly listener: Listener
  readonly outbound: Pick<Outbound, 'send'>
  readonly baseUrl: string
  readonly isOwnMachine: boolean
  readonly now: () => Date
  readonly networks: readonly HostedConnector[]
  /** Of modules' pages. */
  readonly styles: readonly URL[]
}

export type Shown = ReturnType<typeof makeShown>

/** What customers see of a merchant: its logo, receipts as files, and samples. */
export function makeShown(options: ShownOptions) {
  const { db, listener, outbound, baseUrl, isOwnMachine, now, networks, styles } = options
  const pictures = makePictures(db, listener, outbound, () => now().getTime())
  const receiptFiles = makeReceiptFiles(() => now().getTime())
  const styleFile = makeCheckoutStyles(styles)
  return {
    styleFile,
    pictures,
    receiptFiles,
    samples: makeSamples({ baseUrl, pictures, receiptFiles, now, networks, styleFile }),
    fetchLogo: async (url: string) => fetchPicture(outbound, url, isOwnMachine ? 'local' : 'public'),
  }
}
