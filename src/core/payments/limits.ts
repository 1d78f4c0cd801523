/** How long the texts of a payment may be, in characters. */
export const limits = {
  txRef: 255,
  email: 254,
  name: 100,
  title: 100,
  description: 255,
  items: 100,
  itemName: 255,
  taxName: 30,
  invoiceNumber: 50,
  customerRef: 255,
} as const
