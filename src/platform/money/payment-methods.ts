// The ways to pay that a network can offer, in the order they are shown unless a shop chooses another.

export const paymentMethods = ['card', 'bank', 'mobile_money', 'wallet'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Card schemes and wallets that customers know by their mark. */
export const methodMarks = ['visa', 'mastercard', 'amex', 'apple_pay', 'google_pay'] as const
export type MethodMark = (typeof methodMarks)[number]
