import type { Accepted } from './accepted.ts'

export const money: readonly Accepted[] = [
  {
    path: 'src/money/money.ts',
    change: 'const maxWholeDigits = [-9-]{+10+}',
    reason: 'A number of ten digits is refused by the next rule, in the same words.',
  },
  {
    path: 'src/money/money.ts',
    change: 'if ([-whole.length > maxWholeDigits-]{+false+})',
    reason: 'Saves reading a number of 60,000 digits, which the next rule refuses in the same words.',
  },
  {
    path: 'src/money/money.ts',
    change: 'const digits = (minor[- < -]{+ <= +}0n ? -minor : minor)',
    reason: 'The negative of nothing is nothing.',
  },
  {
    path: 'src/money/money.ts',
    change: 'const maxFormatters = [-500-]{+501+}',
    reason: 'How many formatters are kept is a matter of memory; 500 is no promise.',
  },
  {
    path: 'src/money/money.ts',
    change: 'if ([-cached-]{+false+}) return cached',
    reason: 'Saves time: a formatter that is made again writes the same.',
  },
  {
    path: 'src/money/money.ts',
    change: 'formatters.',
    reason: 'The formatters that are kept save time, and change nothing that anybody reads.',
  },
  {
    path: 'src/money/plain-digits.ts',
    change: 'if ([-!/[^\\0-\\x7f]/.test(text)-]{+false+}) return text',
    reason: 'Saves the search for digits of other scripts in a text that has none.',
  },
]
