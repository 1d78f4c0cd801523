import { testStage } from './test-faults.ts'

testStage('the database fails, or the connection to it')
