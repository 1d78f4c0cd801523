import { testStage } from './test-faults.ts'

testStage('servers die at the named points of a refund')
