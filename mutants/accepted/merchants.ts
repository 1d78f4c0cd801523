import type { Accepted } from './accepted.ts'

export const merchants: readonly Accepted[] = [
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
]
