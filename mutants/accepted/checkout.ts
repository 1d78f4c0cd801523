import type { Accepted } from './accepted.ts'

const pdf = 'src/checkout/receipt/pdf'

export const checkout: readonly Accepted[] = [
  {
    path: `${pdf}/embed-picture.ts`,
    change: 'pixel[- < -]{+ <= +}pixels',
    reason: 'What is written behind the end of a buffer is not kept.',
  },
  {
    path: `${pdf}/embed-picture.ts`,
    change: 'pixel * samples + samples[- - -]{+ + +}1)',
    reason:
      'What is copied too much is overwritten by the next pixel, and behind the last one there is no room.',
  },
  {
    path: `${pdf}/shape-text.ts`,
    change: 'while (start[- < -]{+ <= +}order.length)',
    reason: 'Behind the last stretch there is nothing to turn around.',
  },
  {
    path: `${pdf}/shape-text.ts`,
    change: 'while (end[- < -]{+ <= +}order.length',
    reason: 'What stands behind the last stretch has level 0, which ends every run.',
  },
  {
    path: `${pdf}/shape-text.ts`,
    change: 'width[- > -]{+ >= +}(positions[best]?.xAdvance ?? 0)',
    reason: 'Of two glyphs of a letter that are as wide, either may stand for it.',
  },
  {
    path: `${pdf}/write-pdf.ts`,
    change: 'Math.abs(kern)[- < -]{+ <= +}0.5',
    reason: 'Our fonts count in thousandths, so kerning is never half of one.',
  },
  {
    path: `${pdf}/subset-font.ts`,
    change: 'const writable = [-2-]{+3+}',
    reason: 'Both tell HarfBuzz that it may write there if it has to, and it does not have to.',
  },
  {
    path: `${pdf}/subset-font.ts`,
    change: "if ([-made === 0-]{+false+}) throw new Error('A font could not be cut down')",
    reason: 'It tells a broken installation apart: the fonts that come with Florin can be cut down.',
  },
  {
    path: 'src/checkout/language.ts',
    change: '[-taken.set(sentence, parts)-]{+void 0+}',
    reason: 'A sentence that was taken apart before saves time, and reads the same.',
  },
  {
    path: 'src/checkout/pages/frame.ts',
    change: '[-footers.set(language, parts)-]{+void 0+}',
    reason: 'A footer that was drawn before saves time, and looks the same.',
  },
  {
    path: 'src/checkout/pages/shop/shop.ts',
    change: 'const drawnMax = [-1_000-]{+1001+}',
    reason: 'How many colours are remembered saves time: a colour is drawn the same each time.',
  },
  {
    path: 'src/checkout/pages/shop/shop.ts',
    change: 'drawn.size[- >= -]{+ > +}drawnMax',
    reason: 'How many colours are remembered saves time: a colour is drawn the same each time.',
  },
  {
    path: 'src/checkout/receipt/receipt-pdf.ts',
    change: 'const amountWidth = [-120-]{+121+}',
    reason: 'A point more or less of room is a matter of looks.',
  },
  {
    path: 'src/checkout/sealed-form.ts',
    change: 'bytes.length[- <= -]{+ < +}ivBytes + tagBytes',
    reason: 'Nobody without the key can sign an empty text, so one without a letter is refused as changed.',
  },
  {
    path: 'src/checkout/logo/known-shops.ts',
    change: '[-clearTimeout(timer)-]{+void 0+}',
    reason: 'The timer ends a wait that is over by then, a third of a second later.',
  },
  {
    path: 'src/checkout/links/routes.ts',
    change: 'link.taken[- > -]{+ >= +}link.paid',
    reason: 'It spares a query: a link whose payments are all paid or over has none that is pending.',
  },
  {
    path: 'src/checkout/sample/samples.ts',
    change: 'amountOutOfRange: [-false-]{+true+}',
    reason: 'It is said where nothing is offered, and a sample always offers something.',
  },
  {
    path: 'src/checkout/sample/samples.ts',
    change: 'sandbox: [-false-]{+true+}',
    reason: 'Whether a sample is of play money is no offer’s word: the page has a field of its own for it.',
  },
  {
    path: 'src/checkout/sample/samples.ts',
    change: 'late: [-false-]{+true+}',
    reason: 'No page and no receipt of a customer says it.',
  },
  {
    path: 'src/checkout/assets/assets.ts',
    change: "[-.replace(/\\n+/g, '\\n')-]{+void 0+}",
    reason: 'Empty lines make the script some bytes longer, and change nothing that it does.',
  },
]
