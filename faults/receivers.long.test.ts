import { testStage } from './test-faults.ts'

testStage('receivers or the network misbehave, or many come at once')
