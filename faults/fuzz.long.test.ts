import { testHostile } from './test-hostile.ts'

testHostile(600)
