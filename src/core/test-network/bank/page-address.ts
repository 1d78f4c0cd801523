const shape = /^tb_([1-9][0-9]{7})_[0-9a-f]{24}$/

export function pageAddress(baseUrl: string, reference: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/test-network/${reference}`
}

/** Undefined for a reference that the bank can't have given. */
export function readReference(reference: string): { merchantId: number; reference: string } | undefined {
  const merchant = shape.exec(reference)?.[1]
  return merchant === undefined ? undefined : { merchantId: Number(merchant), reference }
}
