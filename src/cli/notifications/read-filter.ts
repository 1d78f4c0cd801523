import type { DeliveryFilter } from '../../core/notifications/bulk/delivery-filter.ts'
import { receiversMeant } from '../../core/notifications/receiver-of.ts'
import type { Parsed } from '../terminal/arguments.ts'
import { modeOption, oneOf, text, webAddress } from '../terminal/arguments.ts'
import { timeOption } from '../terminal/times.ts'

// Which notifications a person means.

export const filterOptions = {
  merchant: { type: 'string' },
  mode: { type: 'string' },
  status: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  origin: { type: 'string' },
  event: { type: 'string' },
  json: { type: 'boolean' },
} as const

export function readFilter<State extends string>(
  parsed: Parsed,
  states: readonly State[],
): Omit<DeliveryFilter, 'merchantId' | 'state'> & { readonly state: State | undefined } {
  const state = text(parsed, 'status')
  const origin = text(parsed, 'origin')
  return {
    mode: modeOption(parsed),
    state: state === undefined ? undefined : oneOf('status', state, states),
    since: timeOption(parsed, 'since'),
    until: timeOption(parsed, 'until'),
    receiver:
      origin === undefined
        ? undefined
        : receiversMeant(webAddress(parsed, 'origin', 'https://shop.example.com/ipn').href),
    event: text(parsed, 'event'),
  }
}
