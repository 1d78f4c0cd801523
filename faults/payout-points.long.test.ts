import { testStage } from './test-faults.ts'

testStage('servers die while payouts are copied')
