// The built-in receiver of a merchant: a URL of ours that accepts what Florin sends in test mode, so that someone
// without a receiver can see a notification arrive.

export const testReceiverPath = '/test-receiver/:merchant'

export function testReceiverUrl(baseUrl: string, merchantId: number): string {
  return `${baseUrl.replace(/\/+$/, '')}/test-receiver/${merchantId}`
}

/**
 * Whether it is one of them, and nothing else of ours. Such an address is the operator's own, so that it may be called
 * where addresses of strangers may not: behind a container's port Florin is found at 127.0.0.1 by itself alone.
 */
export function isTestReceiver(baseUrl: string, target: string): boolean {
  if (!URL.canParse(target)) return false
  const url = new URL(target)
  // Every notification has the payment's tx_ref and status there.
  url.search = ''
  const { href } = url
  const number = /\/test-receiver\/([1-9]\d{7})$/.exec(href)?.[1]
  return number !== undefined && href === new URL(testReceiverUrl(baseUrl, Number(number))).href
}
