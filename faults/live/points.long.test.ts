import { testStage } from '../test-faults.ts'

testStage('servers die while live payments are made')
