import { testStage } from './test-faults.ts'

testStage('servers and workers die at random, stop or lose the time')
