import { writeFileSync } from 'node:fs'
import { makeNotice } from './make-notice.ts'

// `npm run notice`: renews NOTICE after a change of packages.

writeFileSync(new URL('../../NOTICE', import.meta.url), makeNotice())
