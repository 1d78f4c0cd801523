import { testSome } from './test-faults.ts'

// The cheapest of each kind that lose or double something where a rule is missing; the others are in the files that end
// with .long.test.ts. A server that is started again takes two seconds of processor time, the others half a second.

testSome('the database, servers, receivers or the network fail', [
  'PostgreSQL killed',
  'the answer to COMMIT cut off',
  'server killed when the network accepted',
  'server killed when the network sent money back',
  'server killed when lines of a payout are about to be committed',
  'receiver hangs',
  'receiver answers 410',
  '50 equal creates at once',
  '50 pay clicks at once',
  'network times out',
  'network answers twice',
])
