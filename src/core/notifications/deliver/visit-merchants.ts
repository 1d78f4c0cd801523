import type { Look } from '../due-look-store.ts'

export type Visits = {
  /** A look for merchants, in the order of their numbers. */
  readonly find: (after: number) => Promise<Look>
  readonly visit: (merchantId: number) => Promise<void>
  readonly onError: (error: unknown, merchantId: number) => void
}

/** Visits every merchant that a look finds, one after the other. One that fails doesn't keep the others waiting. */
export async function visitMerchants({ find, visit, onError }: Visits): Promise<void> {
  for (let after: number | undefined = -1; after !== undefined;) {
    const found: Look = await find(after)
    for (const merchantId of found.merchants) {
      await visit(merchantId).catch((error: unknown) => onError(error, merchantId))
    }
    after = found.nextCursor
  }
}
