import { readStylesheet } from '../../../platform/http/page.ts'

export const disputeStyles = [readStylesheet(new URL('./disputes.css', import.meta.url))]
