import { describeIfReason } from '../../core/payments/attempts/describe-reason.ts'

const whys: Readonly<Record<string, string>> = {
  cancelled: 'Cancelled',
  given_up: 'The customer left while paying',
  not_tried: 'The customer never tried to pay',
}

/** Why a payment was not paid. */
export function describeWhy(why: string): string {
  return (Object.hasOwn(whys, why) ? whys[why] : describeIfReason(why)) ?? why.replaceAll('_', ' ')
}
