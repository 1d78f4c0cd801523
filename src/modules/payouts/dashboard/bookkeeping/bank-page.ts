import { html, type Html } from '../../../../platform/http/html.ts'
import type { LeftEntry, LeftOver, SentPayout, StatementResult } from '../../bank/match-statement.ts'
import { describeLeftover } from '../../bank/describe-leftover.ts'
import { describeReading, type UnreadRow } from '../../bank/reading.ts'
import { hasRight } from '../../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../../dashboard/ask.ts'
import { emptyList, pill, select, shortened, table, type Choice } from '../../../../dashboard/parts/lists.ts'
import { formatDay, money } from '../describe-payout.ts'
import { crumb, head, problems, type Mistakes } from '../../../../dashboard/parts/parts.ts'
import { section } from '../../../../dashboard/parts/things.ts'
import { styles } from '../../../../dashboard/settings/parts.ts'
import { networkName } from '../../../../dashboard/network-name.ts'

// A bank statement is given here, and what it has in common with the payouts of networks is shown.

type Told = { readonly result?: StatementResult; readonly mistakes?: Mistakes }

export function bankPage(ask: MemberAsk, left: LeftOver, { result, mistakes = {} }: Told = {}): Content {
  const home = `${ask.place.home}/bookkeeping`
  return {
    title: 'Match a bank statement',
    styles,
    body: html`${head('Match a bank statement', {
      crumb: crumb(home, 'Bookkeeping'),
      lead: 'Give Florin the file of your bank, and see which payouts arrived.',
    })}
    ${problems(mistakes)}
    ${result && found(ask, result)}
    ${hasRight(ask.place.role, 'bookkeeping.match') && upload(ask, `${home}/bank`, mistakes)}
    ${result && result.reading.unreadCount > 0 && section('Rows that were not read', unread(result.reading.unread))}
    ${
      (result || left.isGiven) &&
      html`${section('Payouts not seen at the bank', unseen(ask, left.payouts))}
      ${section('Entries of the bank without a payout', unmatched(ask, left.entries))}`
    }`,
  }
}

function upload(ask: MemberAsk, path: string, mistakes: Mistakes): Html {
  const mistake = mistakes['file']
  const codes = [...ask.place.merchant.currencies.keys()]
  const choices: Choice[] = [['', 'As the file says'], ...codes.map((code): Choice => [code, code])]
  return html`<div class="card form">
    <form class="stack" method="post" action="${path}" enctype="multipart/form-data" novalidate>
      <input type="hidden" name="token" value="${ask.token}" />
      <div class="field">
        <label for="file">Bank statement</label>
        <p class="hint" id="file-hint">camt.053 (XML) or CSV, at most 4 MB. The same file again changes nothing</p>
        <input
          id="file"
          name="file"
          type="file"
          accept=".xml,.csv,.txt,text/xml,application/xml,text/csv"
          aria-describedby="file-hint${mistake !== undefined && ' file-error'}"
          ${mistake !== undefined && html`aria-invalid="true"`}
        />
        ${mistake !== undefined && html`<p class="error" id="file-error">${mistake}</p>`}
      </div>
      ${select('currency', 'Currency', choices, '', 'For a CSV that names none')}
      <div><button class="go">Match</button></div>
      <p class="hint">Florin keeps the entries that are payouts or name a network, and no others.</p>
    </form>
  </div>`
}

const ways = { reference: 'by reference', amount: 'by amount and date', return: 'sent back' } as const

/** By which both the bank and the network name it. */
const referenceOf = (payout: Pick<SentPayout, 'bank_reference' | 'reference'>): string =>
  payout.bank_reference ?? payout.reference

const payoutPath = ({ place }: MemberAsk, id: string): string => `${place.home}/payouts/${id}`

function sumAndDay(minor: bigint, currency: string, day: string): Html {
  return html`${money(minor, currency)}<br /><span class="quiet small">${formatDay(day)}</span>`
}

function found(ask: MemberAsk, result: StatementResult): Html {
  const { reading, entryCount, knownCount, matches, leftovers, payouts } = result
  const warning = describeReading(reading)
  const count = (n: number, one: string, many: string): string =>
    `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`
  const known = knownCount === 0 ? '' : `, ${count(knownCount, 'payout', 'payouts')} found before`
  return html`<div class="card stack" role="status">
    <h2>${count(matches.length, 'payout', 'payouts')} found</h2>
    <p class="quiet">
      ${count(entryCount, 'entry', 'entries')} in the file${known}, ${leftovers.length.toLocaleString('en-GB')} left over.
    </p>
    ${warning !== undefined && html`<p>${warning}</p>`}
    ${
      matches.length > 0 &&
      table({
        label: 'Payouts found',
        rows: matches,
        to: ({ payoutId }) => payoutPath(ask, payoutId),
        columns: [
          { label: 'Reference', draw: ({ payoutId }) => nameIn(payouts, payoutId) },
          { label: 'Expected', draw: ({ payoutId }) => expected(payouts.get(payoutId)), isFigure: true },
          {
            label: 'At the bank',
            draw: ({ entry }) => sumAndDay(entry.amountMinor, entry.currency, entry.bookedOn),
            isFigure: true,
          },
          { label: 'Found', draw: ({ by }) => pill(ways[by], by === 'return' ? 'warn' : 'good') },
        ],
      })
    }
  </div>`
}

function nameIn(payouts: StatementResult['payouts'], id: string): Html {
  const payout = payouts.get(id)
  return shortened(payout ? referenceOf(payout) : id)
}

function expected(payout: SentPayout | undefined): Html | string {
  return payout ? sumAndDay(payout.amount_minor, payout.currency, payout.day) : ''
}

function unread(rows: readonly UnreadRow[]): Html {
  return table<UnreadRow>({
    label: 'Rows that were not read',
    rows,
    columns: [
      { label: 'Row', draw: ({ place }) => place },
      { label: 'Why', draw: ({ why }) => why },
    ],
  })
}

function unseen(ask: MemberAsk, payouts: readonly SentPayout[]): Html {
  if (payouts.length === 0)
    return emptyList('Nothing missing', 'Every payout that networks report as arrived was seen at the bank.')
  return table<SentPayout>({
    label: 'Payouts not seen at the bank',
    rows: payouts,
    to: ({ id }) => payoutPath(ask, id),
    columns: [
      { label: 'Reference', draw: (one) => shortened(referenceOf(one)) },
      { label: 'Network', draw: ({ connector }) => networkName(ask, connector) },
      { label: 'Expected', draw: ({ day }) => formatDay(day) },
      {
        label: 'Amount',
        draw: ({ amount_minor, currency }) => money(amount_minor, currency),
        isFigure: true,
      },
    ],
  })
}

function unmatched(ask: MemberAsk, entries: readonly LeftEntry[]): Html {
  if (entries.length === 0)
    return emptyList('Nothing left over', 'Every entry that names a network belongs to a payout.')
  return table<LeftEntry>({
    label: 'Entries of the bank without a payout',
    rows: entries,
    columns: [
      { label: 'Text', draw: ({ description }) => shortened(description) },
      { label: 'Expected', draw: ({ payout }) => expected(payout), isFigure: true },
      {
        label: 'At the bank',
        draw: ({ amount_minor, currency, booked_on }) => sumAndDay(amount_minor, currency, booked_on),
        isFigure: true,
      },
      { label: 'Why', draw: (entry) => describeWhy(ask, entry) },
    ],
  })
}

function describeWhy(ask: MemberAsk, { why: reason, payout }: LeftEntry): Html | string {
  if (!reason) return ''
  const words = describeLeftover({ why: reason })
  return payout ? html`${words}: <a href="${payoutPath(ask, payout.id)}">${referenceOf(payout)}</a>` : words
}
