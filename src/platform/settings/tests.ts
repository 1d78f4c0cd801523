import { oneOf, url } from './kinds.ts'

// For tests only.

export const testsSettings = {
  STRIPE_URL: url({
    default: '',
    meaning: 'For tests only: URL to call instead of Stripe. It receives the credentials.',
    example: 'http://127.0.0.1:12111',
  }),
  GOCARDLESS_URL: url({
    default: '',
    meaning: 'For tests only: URL to call instead of GoCardless. It receives the credentials.',
    example: 'http://127.0.0.1:12112',
  }),
  PAYPAL_URL: url({
    default: '',
    meaning: 'For tests only: URL to call instead of PayPal. It receives the credentials.',
    example: 'http://127.0.0.1:12113',
  }),
  PAYSTACK_URL: url({
    default: '',
    meaning: 'For tests only: URL to call instead of Paystack. It receives the credentials.',
    example: 'http://127.0.0.1:12114',
  }),
  ALLOW_UNSAFE_DATABASE: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning: 'For tests only: allows live payments on a PostgreSQL that may lose them.',
  }),
}
