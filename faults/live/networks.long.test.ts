import { testStage } from '../test-faults.ts'

testStage('live networks and their callbacks misbehave')
