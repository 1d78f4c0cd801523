// The ways to pay that a network can offer, in the order they are shown unless a shop chooses another.

export const paymentMethods = ['card', 'bank'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
