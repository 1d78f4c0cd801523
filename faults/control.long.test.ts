import { findFault, testAlone } from './test-faults.ts'

// A harness that sees nothing where acknowledged payments are lost would let everything pass.
testAlone(findFault('control: synchronous_commit off'))
