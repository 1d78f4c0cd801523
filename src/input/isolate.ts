const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A name within a sentence of the other direction. Between Arabic words `Toys Now!` would come out as `!Toys Now`, and
 * an Arabic name would take an English full stop with it. A name that runs as the sentence does is left as it is.
 */
export function isolate(name: string, direction: 'ltr' | 'rtl'): string {
  return direction === 'rtl' || rightToLeft.test(name) ? `\u2068${name}\u2069` : name
}
