import { testSome } from '../test-faults.ts'

testSome('servers die while live payments are made, or networks and their callbacks misbehave', [
  'server killed when Stripe says that it charged',
  'server killed when Paystack says that it charged',
  'callbacks are lost',
  'callbacks are forged',
  'live networks cut the line after they acted',
])
