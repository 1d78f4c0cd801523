import { oneOf, url } from './kinds.ts'

// For tests only.

export const testsSettings = {
  STRIPE_URL: url({
    default: '',
    meaning: 'For tests only: what is called instead of Stripe. It gets the credentials.',
    example: 'http://127.0.0.1:12111',
  }),
  GOCARDLESS_URL: url({
    default: '',
    meaning: 'For tests only: what is called instead of GoCardless. It gets the credentials.',
    example: 'http://127.0.0.1:12112',
  }),
  ALLOW_UNSAFE_DATABASE: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning: 'For tests only: takes live payments on a PostgreSQL that may lose them.',
  }),
}
