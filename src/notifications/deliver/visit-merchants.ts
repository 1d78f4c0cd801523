export type Visits = {
  /** A look for merchants, in the order of their numbers. */
  readonly find: (after: number, limit: number) => Promise<number[]>
  readonly visit: (merchantId: number) => Promise<void>
  readonly onError: (error: unknown, merchantId: number) => void
}

const merchantsAtOnce = 1_000

/** Visits every merchant that a look finds, one after the other. One that fails doesn't keep the others waiting. */
export async function visitMerchants({ find, visit, onError }: Visits): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const found: number[] = await find(after, merchantsAtOnce)
    for (const merchantId of found) {
      await visit(merchantId).catch((error: unknown) => onError(error, merchantId))
    }
    after = found.length === merchantsAtOnce ? found.at(-1) : undefined
  }
}
