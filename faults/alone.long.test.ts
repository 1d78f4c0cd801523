import { playedAlone } from './stages.ts'
import { testAlone } from './test-faults.ts'

// Faults that leave something behind that others could not be played on, and the controls, which must be seen.
for (const fault of playedAlone) testAlone(fault)
