import type { Accepted } from './accepted.ts'

export const merchants: readonly Accepted[] = [
  {
    path: 'src/merchants/brand/accent.ts',
    change: 'step[- <= -]{+ < +}steps',
    reason: 'The last step is black or white, which is what is answered after it.',
  },
  {
    path: 'src/merchants/brand/accent.ts',
    change: 'contrast(mixed, ground)[- >= -]{+ > +}leastContrast',
    reason: 'No two of the colours that there are differ by exactly 4.5 : 1 from a ground of ours.',
  },
  {
    path: 'src/merchants/brand/accent.ts',
    change: 'share[- <= -]{+ < +}0.04045',
    reason: 'No part of a colour, of 255, is exactly that share.',
  },
  {
    path: 'src/merchants/pictures/picture-store.ts',
    change: "fetched_at[- < -]{+ <= +}now() - interval '1 hour'",
    reason:
      'The moment of the statement has microseconds: no test can name it, and nobody minds which side it is on.',
  },
  {
    path: 'src/merchants/pictures/picture-store.ts',
    change: 'where merchant_id = ${merchantId} and [-source is not null-]{+true+} and id in (',
    reason: 'The ids that are looked for inside are of such pictures alone.',
  },
  {
    path: 'src/merchants/pictures/jpeg.ts',
    change: 'while (at + 4[- <= -]{+ < +}bytes.length)',
    reason: 'A part that begins four bytes before the end of the file is empty, and no pixels follow it.',
  },
  {
    path: 'src/merchants/pictures/png.ts',
    change: 'row[- < -]{+ <= +}png.height',
    reason: 'What is written behind the end of a buffer is not kept.',
  },
  {
    path: 'src/merchants/pictures/png.ts',
    change: 'column[- < -]{+ <= +}width',
    reason: 'The byte behind a row is the first of the next one, which is written before it is read.',
  },
  {
    path: 'src/merchants/pictures/png.ts',
    change: 'if (byLeft[- <= -]{+ < +}byAbove && byLeft <= byCorner) return left',
    reason: 'Where left and above are as near and differ, the corner is what was guessed.',
  },
  {
    path: 'src/merchants/sealed/key-file.ts',
    change: "if ([-process.platform === 'win32'-]{+false+}) return",
    reason: 'For Windows alone, where no test runs.',
  },
  {
    path: 'src/merchants/requests/hide-in-body.ts',
    change: 'const judgedMax = [-1_000-]{+1001+}',
    reason: 'How many names are remembered saves time: a name is judged the same each time.',
  },
  {
    path: 'src/merchants/requests/hide-in-body.ts',
    change: 'judged.size[- < -]{+ <= +}judgedMax',
    reason: 'How many names are remembered saves time: a name is judged the same each time.',
  },
  {
    path: 'src/merchants/requests/hide-in-body.ts',
    change: 'name.length[- <= -]{+ < +}40) judged.set',
    reason: 'Which names are remembered saves time: a name is judged the same each time.',
  },
  {
    path: 'src/merchants/requests/list-requests.ts',
    change: 'const perPage = [-50-]{+51+}',
    reason:
      'How many lines stand on a page is a matter of looks; pages of any size follow one another without a gap.',
  },
  {
    path: 'src/merchants/requests/list-requests.ts',
    change: 'const windowRows = [-5_000-]{+5001+}',
    reason: 'How far it is looked is a matter of time; one more is no harm.',
  },
  {
    path: 'src/merchants/requests/list-requests.ts',
    change: 'const isWhole = !isFiltered[- || -]{+ && +}lines.length > size',
    reason:
      'Saves asking for the end of a window: what is behind it is on no page that is full, and without a filter there is nothing behind it.',
  },
  {
    path: 'src/merchants/requests/prune-requests.ts',
    change: 'const rowsPerLook = [-10_000-]{+10001+}',
    reason: 'How far it is looked is a matter of time; one more is no harm.',
  },
  {
    path: 'src/merchants/list.ts',
    change: 'const numbersAtOnce = [-1_000-]{+1001+}',
    reason: 'How many are taken at once is no promise.',
  },
  {
    path: 'src/merchants/audit/forget-audit.ts',
    change: 'if (gone[- > -]{+ >= +}0) log.info(',
    reason: 'A line in the log about none, where another server was quicker.',
  },
]
