// Made from /openapi.json by `npm run client-types`. Do not edit.

export type Account = {
  readonly merchant: AccountMerchant
  /** test or live; null for an API key, which has none. */
  readonly mode: string | null
  readonly key: AccountKey
  /** The currencies this key can take payments in; null for an API key. */
  readonly currencies: readonly string[] | null
  /** Whether live payments are switched on. */
  readonly live_enabled: boolean
}

export type AccountKey = {
  /** secret or api. */
  readonly kind: string
  /** As you named it. */
  readonly name: string
  /** florin, or family for a plugin that was written for PayChangu, Chapa or a script of that family. More values may be added. */
  readonly dialect: string
}

export type AccountMerchant = {
  readonly id: number
  readonly name: string
}

export type Balance = {
  /** Who holds the money: stripe, gocardless, paystack … */
  readonly network: string
  /** Your account there, as Florin names it. */
  readonly account: string
  readonly currency: string
  /** What the network holds and can't pay out yet. */
  readonly pending: string
  /** The same in the currency's smallest unit. */
  readonly pending_minor: number
  /** What the network can pay out. */
  readonly available: string
  /** The same in the currency's smallest unit. */
  readonly available_minor: number
  /** What is between the network and your bank. */
  readonly on_its_way: string
  /** The same in the currency's smallest unit. */
  readonly on_its_way_minor: number
  /** Everything that has arrived so far. */
  readonly arrived: string
  /** The same in the currency's smallest unit. */
  readonly arrived_minor: number
  /** How much more the network said it holds, when the two were last compared. 0: they agree. */
  readonly difference_minor: number
  /** When that was; null if the network reports no balance. */
  readonly compared_at: string | null
}

export type Balances = {
  /** One for each account and currency. Empty before the first booking. */
  readonly balances: readonly Balance[]
  /** Paid payments that no network has booked yet, per currency: they are in no balance, and their fees are not known. */
  readonly not_reported: readonly NotReported[]
}

export type ChargeRequest = {
  /** Your reference of this charge, unique like that of any payment. It is the key: sending it again returns the same transaction and never charges twice. */
  readonly tx_ref: string | number
  /** Required without amount_minor. A plain decimal such as 1000.50, more than zero, at most 999,999,999.99. Send a string to be safe. */
  readonly amount?: string | number
  /** Instead of amount: in the currency's smallest unit (pence, cents; yen as they are). With amount it must be equal. */
  readonly amount_minor?: number | string
  /** ISO 4217. */
  readonly currency: string
  /** What it is for, as the customer reads it. */
  readonly description?: string
  /** Where Florin sends notifications about the charge. Default: as the payment that saved the method. */
  readonly callback_url?: string
  /** Your own data, returned as sent. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** If the customer's bank wants to ask them: e-mail them a link to the checkout page. */
  readonly email_customer?: boolean
}

export type CreatedEndpoint = Endpoint & {
  /** The secret that signs notifications to this endpoint. Shown once. */
  readonly secret: string
}

export type CursorMeta = {
  readonly limit: number
  readonly next_cursor: string | null
}

export type Customization = {
  readonly title: string
  readonly description: string
  readonly logo: string
}

/** What the checkout page shows. */
export type CustomizationRequest = {
  readonly title?: string
  readonly description?: string
  /** A picture. */
  readonly logo?: string
}

export type DeletedProject = {
  readonly id: string
  /** The name. Unique among your projects, ignoring case. */
  readonly project: string
  readonly deleted: true
}

export type DeliveryAttempt = {
  readonly attempt: number
  readonly created_at: string
  /** How long the answer took. */
  readonly ms: number
  /** Your server's HTTP status; null without an answer. */
  readonly http_status: number | null
  /** Why there was no answer: timeout, dns_failed, tls_failed … */
  readonly error: string | null
  /** The first 1 KiB of the answer. */
  readonly answer: string | null
}

/** Only for a disputed payment: the open dispute, otherwise the newest. */
export type Dispute = {
  /** dsp_… */
  readonly id: string
  /** evidence_due: respond by evidence_due_at. under_review: the bank is deciding. won: you keep the money. lost: the customer keeps it. More values may be added. */
  readonly status: string
  /** The network's reason code: fraudulent, product_not_received … */
  readonly reason: string
  /** The disputed amount, which may be less than was paid. */
  readonly amount: string
  /** The same in the currency's smallest unit. */
  readonly amount_minor: number
  readonly currency: string
  /** The deadline for your response: in Florin's dashboard, or at the network if Florin can't pass it on. Null when no response is needed. */
  readonly evidence_due_at: string | null
  /** Whether the bank holds the money, during the dispute or for good. The payment is then reversed. */
  readonly money_taken: boolean
  /** The loss on the payment: refunds plus what the bank took, minus what the customer paid. A lost dispute without a refund has 0.00: you lost the payment, and nothing on top of it. */
  readonly loss: string
  /** The same in the currency’s smallest unit. 0: no loss. */
  readonly loss_minor: number
  /** When Florin learned of it. UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
}

export type Endpoint = {
  readonly id: string
  /** Its URL; null for a running florin listen. */
  readonly url: string | null
  /** Your own note. */
  readonly description: string
  /** The events it gets. * alone means all, including events added later. */
  readonly events: readonly string[]
  readonly mode: 'test' | 'live' | (string & {})
  /** Whether its URL works. failing: the last attempts failed. paused: notifications wait until you resume it; Florin pauses a URL after 120 hours of failures. More values may be added. */
  readonly status: string
  readonly failing_since: string | null
  readonly paused_at: string | null
  readonly created_at: string
}

/** Only when code is tx_ref_taken: the payment that has the tx_ref. Not shown to form keys. */
export type ExistingPayment = {
  readonly status: string
  /** Only while it is pending. */
  readonly checkout_url?: string
}

export type Failure = {
  readonly status: 'failed'
  /** Names the first rule that failed. */
  readonly message: string
  readonly data: null
  /** A stable word for programs. More values may be added. */
  readonly code: string
  /** Every rule that failed, by field. Always present when code is validation_failed. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly existing?: ExistingPayment
}

export type FormRefusal = {
  /** UTC, with microseconds. */
  readonly created_at: string
  readonly code: string
  /** Names the first rule that failed. */
  readonly message: string
  /** Every rule that failed, by field of the form. */
  readonly errors: Readonly<Record<string, readonly string[]>> | null
  /** As sent in the form, if it was valid. */
  readonly tx_ref: string | null
  /** Shown on the page the customer saw, and in the log. */
  readonly request_id: string
}

export type Item = {
  readonly name: string
  readonly quantity: number
  readonly unit_amount: string
  readonly unit_amount_minor: number
  /** Percent. */
  readonly tax_rate?: string
  /** Only when you sent one. */
  readonly tax_name?: string
}

export type ItemRequest = {
  /** The item's name. */
  readonly name: string
  /** 1 when left out. */
  readonly quantity?: number
  /** The unit price including tax, in the format of amount. 0 is allowed; negative for a discount. */
  readonly unit_amount: string | number
  /** Percent from 0 to 100, such as 20 or 5.5. Shown as tax that is included; 0 is not shown. */
  readonly tax_rate?: string | number
  /** What the tax is called. Left out: VAT, GST …, as in your country. */
  readonly tax_name?: string
}

export type ListTotal = {
  readonly currency: string
  readonly status: string
  /** How many payments. */
  readonly count: number
  readonly amount: string
  /** The same in the currency's smallest unit. */
  readonly amount_minor: number
  readonly charge: string
  /** The same in the currency's smallest unit. */
  readonly charge_minor: number
  readonly refunded: string
  /** The same in the currency's smallest unit. */
  readonly refunded_minor: number
  /** What customers paid. */
  readonly gross: string
  /** The same in the currency's smallest unit. */
  readonly gross_minor: number
  /** What was paid back: the same as refunded. */
  readonly refunds: string
  /** The same in the currency's smallest unit. */
  readonly refunds_minor: number
  /** What banks took, less what they gave back. */
  readonly disputes: string
  /** The same in the currency's smallest unit. */
  readonly disputes_minor: number
  /** What networks charged, with tax and dispute fees, as they booked it in this currency. */
  readonly network_fees: string
  /** The same in the currency's smallest unit. */
  readonly network_fees_minor: number
  /** gross - refunds - disputes - network_fees. charge is no part of it. */
  readonly net: string
  /** The same in the currency's smallest unit. */
  readonly net_minor: number
  /** Paid payments whose networks have not reported their fees yet, so that network_fees lacks them. */
  readonly fees_not_reported_count: number
  /** What customers paid for those. */
  readonly fees_not_reported: string
  /** The same in the currency's smallest unit. */
  readonly fees_not_reported_minor: number
}

export type ListedDispute = Dispute & {
  /** Of the disputed payment. */
  readonly tx_ref: string
  readonly mode: 'test' | 'live' | (string & {})
  /** The network the dispute is at. */
  readonly network: string
}

export type NeedsCustomerEvent = Transaction & { readonly event: 'payment.needs_customer' }

export type NextLink = {
  readonly next: string | null
}

export type NotReported = {
  /** The currency. */
  readonly currency: string
  /** The networks they were paid with. */
  readonly networks: readonly string[]
  /** How many. */
  readonly payments: number
  /** What customers paid for them. */
  readonly amount: string
  /** The same in the currency's smallest unit. */
  readonly amount_minor: number
  /** false: there are more, older ones, which are not counted. */
  readonly complete: boolean
}

export type Notification = {
  /** The webhook-id, the same on every attempt; for an endpoint, followed by a dot and the endpoint's id. */
  readonly id: string
  /** More values may be added. */
  readonly kind: string
  /** What happened. */
  readonly event: string
  /** The URL or the address. */
  readonly target: string
  /** paused: waits until you resume the receiver, or live mail waits for a mail server. skipped: mail over the daily limit. kept: a test notification without a callback_url, or mail that stays in the mailbox. More values may be added. */
  readonly status: string
  readonly created_at: string
  /** When it was delivered or given up. */
  readonly finished_at: string | null
  /** When the next attempt is due. */
  readonly next_try_at: string | null
  readonly attempts: readonly DeliveryAttempt[]
}

export type PageLinks = {
  readonly first: string
  readonly last: string
  readonly prev: string | null
  readonly next: string | null
}

export type PageMeta = {
  readonly current_page: number
  readonly from: number | null
  readonly to: number | null
  readonly last_page: number
  readonly per_page: number
  readonly total: number
  readonly path: string
}

export type PaymentEvent = Transaction & { readonly event: 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'payment.expired' | 'payment.refunded' | 'payment.reversed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' }

/** Why the last attempt was declined. Only while status is failed, and of a charge that waits for the customer. */
export type PaymentFailure = {
  /** More values may be added. */
  readonly code: string
  /** The same as a sentence, for your staff and not for customers. */
  readonly message: string
  /** Only for a charge of a saved method, if more is known than code says. More values may be added. */
  readonly reason?: string
  /** Only for a charge of a saved method: whether you may charge the method again, with a new tx_ref. */
  readonly may_retry?: boolean
  /** Only for a charge of a saved method: charges before this time are refused. */
  readonly retry_after?: string
}

export type PaymentLink = {
  readonly checkout_url: string
}

/** How the customer paid. Only once paid. */
export type PaymentMethod = {
  /** More values may be added. */
  readonly kind: string
  /** The network that took the money: test-network, stripe, gocardless, paystack … */
  readonly network: string
  /** The card's brand, if the network reports it: Visa … */
  readonly brand: string | null
  /** The card's last four digits, if known. */
  readonly last4: string | null
}

export type PaymentRequest = {
  /** Your reference. Unique per payment and mode, forever. A whole number is read as its digits. */
  readonly tx_ref: string | number
  /** Required without amount_minor. A plain decimal such as 1000.50, more than zero, at most 999,999,999.99. Send a string to be safe. */
  readonly amount?: string | number
  /** Instead of amount: in the currency's smallest unit (pence, cents; yen as they are). With amount it must be equal. */
  readonly amount_minor?: number | string
  /** ISO 4217. Test mode takes every currency; live mode what your networks take, less what you switched off. */
  readonly currency: string
  /** The customer's address, for the receipt. Without it the checkout page asks for it before paying. */
  readonly email?: string
  /** The customer's first name. */
  readonly first_name: string
  /** The customer's last name, if any. */
  readonly last_name?: string
  /** Where Florin sends notifications about the payment (IPN). https in live mode. */
  readonly callback_url?: string
  /** Where the customer goes after paying. Florin adds tx_ref and status to the query. https in live mode. */
  readonly return_url?: string
  readonly customization?: CustomizationRequest
  /** Your own data, returned as sent. At most 8 KiB and 5 levels. A list, which PHP sends for some arrays, becomes an object with the keys 0, 1, 2 … */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The items being paid for. Prices include tax, and the lines add up to amount. */
  readonly items?: readonly ItemRequest[]
  /** Your invoice number, shown on the receipt. */
  readonly invoice_number?: string
  /** One of your projects, by id or name. */
  readonly project?: string
  /** How many seconds the customer has to pay, from 30 minutes to 30 days. Default: your shop's setting. Not available in web forms. */
  readonly expires_in?: number | string
  /** Save the payment method, so that you can charge it again without the customer. recurring: on a schedule, as for a subscription. unscheduled: when something is due, as for a top-up. The checkout page tells the customer, and only networks that can save are offered. */
  readonly save?: 'recurring' | 'unscheduled' | (string & {})
  /** Your own name for the customer. Required with save. Without save, the page offers to pay with a method that this customer saved: set it only for a customer who is signed in at your shop. */
  readonly customer_ref?: string
  /** With save: the most that you may charge per day, in the currency of the payment. The customer is told, and Florin refuses more. */
  readonly save_limit?: string | number
}

export type Payout = {
  /** po_… */
  readonly id: string
  /** announced: the network has set the money aside. on_its_way: sent. arrived: your bank has it. failed: your bank refused it. returned: your bank sent it back after it had arrived. More values may be added. */
  readonly status: string
  readonly mode: 'test' | 'live' | (string & {})
  /** Who paid: stripe, gocardless, paystack … */
  readonly network: string
  /** What goes to your bank. */
  readonly amount: string
  /** The same in the currency's smallest unit. */
  readonly amount_minor: number
  readonly currency: string
  /** The day on which the network expects it at your bank. */
  readonly arrives_on: string | null
  /** What your bank statement shows. */
  readonly bank_reference: string | null
  /** The network's name for the payout. */
  readonly network_reference: string
  /** Why it failed or came back, in the network's words. */
  readonly failure: string | null
  /** pending: the network has not listed its bookings yet. unavailable: it never will. More values may be added. */
  readonly lines: string
  readonly line_count: number
  /** The sum of its lines before fees. */
  readonly gross_minor: number
  /** What the network charged, without tax. */
  readonly fee_minor: number
  /** Tax on the fees. */
  readonly tax_minor: number
  /** What the network's own lines lack to the amount. If it isn't 0, a line of kind difference holds it. */
  readonly difference_minor: number
  /** When the network made it. UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
}

export type PayoutDetails = Payout & {
  /** Every status it had, the oldest first. */
  readonly history: readonly PayoutHistory[]
}

export type PayoutEvent = Payout & { readonly event: 'payout.arrived' | 'payout.failed' }

export type PayoutHistory = {
  /** UTC, with microseconds. */
  readonly at: string
  /** Its status from then on. More values may be added. */
  readonly status: string
  /** Why it failed or came back, in the network's words. */
  readonly failure: string | null
}

export type PayoutLine = {
  /** The network's name for the booking. */
  readonly id: string
  /** More values may be added. */
  readonly kind: string
  /** The network's own word for it. */
  readonly type: string
  /** Of your payment, if it is about one. */
  readonly tx_ref: string | null
  /** Of your refund, if it is one. */
  readonly refund_ref: string | null
  /** Negative if it left your account at the network. */
  readonly gross: string
  /** The same in the currency's smallest unit. */
  readonly gross_minor: number
  /** What the network charged, without tax. */
  readonly fee_minor: number
  /** Tax on the fee. */
  readonly tax_minor: number
  /** Gross less fee less tax. */
  readonly net: string
  /** The same in the currency's smallest unit. */
  readonly net_minor: number
  readonly currency: string
  /** What the customer paid or got back, if the network changed the money. */
  readonly original_minor: number | null
  /** Of original_minor. */
  readonly original_currency: string | null
  /** As the network wrote it. */
  readonly exchange_rate: string | null
  /** UTC, with microseconds. */
  readonly booked_at: string
}

export type Project = {
  readonly id: string
  /** The name. Unique among your projects, ignoring case. */
  readonly project: string
  readonly created_at: string
  readonly updated_at: string
}

export type ProjectRequest = {
  /** The name. Unique among your projects, ignoring case. */
  readonly project: string
}

export type Refund = {
  readonly refund_ref: string
  /** Of the payment. */
  readonly tx_ref: string
  /** Our reference of the payment, as on the receipt. */
  readonly reference: string
  readonly mode: 'test' | 'live' | (string & {})
  /** success: the money was sent back. requested: the network has not answered. submitted: the network has not decided. More values may be added. */
  readonly status: string
  readonly currency: string
  /** With thousands separators and at least two decimals. */
  readonly amount: string
  /** The same amount in the currency's smallest unit. */
  readonly amount_minor: number
  /** How much of our fee was returned to you. */
  readonly fee_returned: string
  /** The same in the currency's smallest unit. */
  readonly fee_returned_minor: number
  /** Empty if you sent none. */
  readonly reason: string
  /** Only when it failed: the network's reason. */
  readonly failure?: string
  /** UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
  /** Only in the look-up of a single refund: its status changes with their times. */
  readonly history?: readonly RefundStep[]
}

export type RefundEvent = Refund & { readonly event: 'refund.success' | 'refund.failed' }

export type RefundRequest = {
  /** Your reference. Unique per refund and mode, forever: sending it again returns the same refund instead of making a second one. A whole number is read as its digits. */
  readonly refund_ref: string | number
  /** How much to refund, as a plain decimal such as 10.50. Default: everything that is left. */
  readonly amount?: string | number
  /** Instead of amount: in the currency's smallest unit (pence, cents; yen as they are). With amount it must be equal. */
  readonly amount_minor?: number | string
  /** The reason. The customer sees it in the e-mail and on the receipt. */
  readonly reason?: string
}

export type RefundStep = {
  /** UTC, with microseconds. */
  readonly at: string
  /** More values may be added. */
  readonly status: string
}

export type SampleResult = {
  readonly id: string
  readonly delivered: boolean
  /** Your server's HTTP status. */
  readonly http_status: number | null
  /** Why there was no answer. */
  readonly error: string | null
  readonly ms: number
  /** The first 1 KiB of the answer. */
  readonly answer: string | null
}

export type SavedMethod = SavedMethodSummary & {
  readonly mode: 'test' | 'live' | (string & {})
  /** Your own name for the customer. */
  readonly customer_ref: string
  /** What the customer agreed to. More values may be added. */
  readonly agreement: string
  /** The most that you may charge per day. Only if the payment named a limit. */
  readonly limit?: string
  /** The same in the currency's smallest unit. */
  readonly limit_minor?: number
  readonly limit_currency?: string
  /** Of the payment that saved it. Only in method.saved. */
  readonly tx_ref?: string
  /** UTC, with microseconds. */
  readonly saved_at: string
  /** Only after a declined charge: charges before this time are refused. */
  readonly retry_after?: string
  /** Only once ended. UTC, with microseconds. */
  readonly ended_at?: string
  /** Only once ended. network: a charge was declined for good. erasure: you erased the customer. More values may be added. */
  readonly ended_by?: string
}

export type SavedMethodEvent = SavedMethod & { readonly event: 'method.saved' | 'method.ended' }

/** The method that this payment saved or was paid with. */
export type SavedMethodSummary = {
  readonly id: string
  /** A debit takes days, and can come back after it was paid. More values may be added. */
  readonly kind: string
  /** The card's brand or the bank, if known. */
  readonly brand: string | null
  /** The last four digits, if known. */
  readonly last4: string | null
  /** The month in which it expires, such as 2029-08. */
  readonly expires: string | null
  /** The network that holds it. It can be charged there only. */
  readonly network: string
  /** Whether you can charge it. Once false, it stays false. */
  readonly usable: boolean
}

export type Transaction = {
  readonly first_name: string
  /** Empty if you sent none. */
  readonly last_name: string
  /** Empty until the customer types it, if you sent none. */
  readonly email: string
  readonly currency: string
  /** With thousands separators and at least two decimals. */
  readonly amount: string
  /** The same amount in the currency's smallest unit (pence, cents; yen as they are): compare this with your order. */
  readonly amount_minor: number
  /** Our fee, fixed when the payment was created. */
  readonly charge: string
  /** The same fee in the currency's smallest unit. */
  readonly charge_minor: number
  /** Total refunded, in the currency's smallest unit: 0 before the first refund. */
  readonly refunded_minor: number
  readonly mode: 'test' | 'live' | (string & {})
  /** Where the payment came from. More values may be added. */
  readonly type: string
  /** Whether money moved. The envelope says success when the look-up worked. More values may be added. */
  readonly status: string
  /** Our reference, as on the receipt. */
  readonly reference: string
  readonly tx_ref: string
  readonly customization: Customization
  /** As you sent it; {} without. */
  readonly meta: Readonly<Record<string, unknown>>
  /** Only if you sent some. */
  readonly items?: readonly Item[]
  /** Only if you sent one. */
  readonly invoice_number?: string
  /** UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
  /** The deadline for paying. UTC, with microseconds. */
  readonly expires_at: string
  /** When it was paid. Only once paid. */
  readonly paid_at?: string
  readonly method?: PaymentMethod
  readonly saved_method?: SavedMethodSummary
  readonly failure?: PaymentFailure
  /** Only while pending. */
  readonly checkout_url?: string
  /** Only once something was refunded: the total. */
  readonly refunded?: string
  /** Only in the look-up, and only once a refund was requested: all refunds, oldest first, including failed ones. */
  readonly refunds?: readonly (Readonly<Record<string, unknown>>)[]
  readonly dispute?: Dispute
  /** The project's name, even if it was deleted. Only in lists and in the answer to a cancellation. */
  readonly project?: string
  /** The project's id, wherever its name is shown. */
  readonly project_id?: string
}

export type TransactionsMeta = {
  readonly limit: number
  readonly next_cursor: string | null
  /** Only with totals=true: the totals of all pages, per currency and status. */
  readonly totals?: readonly ListTotal[]
}

/** Only if you sent unknown fields that resemble known ones, such as returnUrl for return_url. Unknown fields are ignored. */
export type Warnings = readonly string[]

/** Compare `event` first: the other fields follow from it. */
export type WebhookEvent = PaymentEvent | RefundEvent | PayoutEvent | SavedMethodEvent | NeedsCustomerEvent

export type EventName = WebhookEvent['event'] | (string & {})

export const operations = {
  createPayment: ['POST', '/api/payment'],
  findTransaction: ['GET', '/api/transaction/{tx_ref}'],
  listTransactions: ['GET', '/api/transactions'],
  exportTransactions: ['GET', '/api/transactions.csv'],
  findAccount: ['GET', '/api/account'],
  cancelTransaction: ['POST', '/api/transaction/{tx_ref}/cancel'],
  listFormRefusals: ['GET', '/api/form-refusals'],
  refundTransaction: ['POST', '/api/transaction/{tx_ref}/refund'],
  listRefundsOfTransaction: ['GET', '/api/transaction/{tx_ref}/refunds'],
  findRefund: ['GET', '/api/refunds/{refund_ref}'],
  exportRefunds: ['GET', '/api/refunds.csv'],
  listRefunds: ['GET', '/api/refunds'],
  chargeSavedMethod: ['POST', '/api/saved-methods/{id}/charges'],
  listSavedMethods: ['GET', '/api/saved-methods'],
  findSavedMethod: ['GET', '/api/saved-methods/{id}'],
  endSavedMethod: ['DELETE', '/api/saved-methods/{id}'],
  listDisputes: ['GET', '/api/disputes'],
  findDispute: ['GET', '/api/disputes/{id}'],
  listPayouts: ['GET', '/api/payouts'],
  payOutNow: ['POST', '/api/payouts'],
  findPayout: ['GET', '/api/payouts/{id}'],
  listPayoutLines: ['GET', '/api/payouts/{id}/lines'],
  findBalance: ['GET', '/api/balance'],
  listNotifications: ['GET', '/api/transaction/{tx_ref}/notifications'],
  resendNotification: ['POST', '/api/transaction/{tx_ref}/notifications/{id}/resend'],
  sendTestNotification: ['POST', '/api/notifications/test'],
  resumeReceiver: ['POST', '/api/notifications/resume'],
  createEndpoint: ['POST', '/api/endpoints'],
  listEndpoints: ['GET', '/api/endpoints'],
  changeEndpoint: ['PATCH', '/api/endpoints/{id}'],
  deleteEndpoint: ['DELETE', '/api/endpoints/{id}'],
  findEndpoint: ['GET', '/api/endpoints/{id}'],
  pauseEndpoint: ['POST', '/api/endpoints/{id}/pause'],
  resumeEndpoint: ['POST', '/api/endpoints/{id}/resume'],
  rollEndpointSecret: ['POST', '/api/endpoints/{id}/roll-secret'],
  testEndpoint: ['POST', '/api/endpoints/{id}/test'],
  listProjects: ['GET', '/api/v1/projects'],
  createProject: ['POST', '/api/v1/projects'],
  findProject: ['GET', '/api/v1/projects/{project}'],
  renameProject: ['PATCH', '/api/v1/projects/{project}'],
  deleteProject: ['DELETE', '/api/v1/projects/{project}'],
} as const

export type OperationId = keyof typeof operations

type Ok<Data> = { readonly status: 'success'; readonly message: string; readonly data: Data }

type Warned<Data> = Ok<Data> & { readonly warnings?: Warnings }

type Pages<Data> = Ok<readonly Data[]> & {
  readonly links: NextLink
  readonly meta: CursorMeta
}

type Call<Answer, Query = never, Body = never> = { answer: Answer; query: Query; body: Body }

/** What several lists are filtered by. */
type Filters = {
  /** Only the transaction with this tx_ref. */
  tx_ref?: string | undefined
  /** Only this status. */
  status?: 'pending' | 'success' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'reversed' | (string & {}) | undefined
  /** Only this currency. */
  currency?: string | undefined
  /** Only this customer's, ignoring case. */
  email?: string | undefined
  /** From this time on. Write the + of an offset as %2B. */
  created_from?: string | Date | undefined
  /** Before this time. Write the + of an offset as %2B. */
  created_to?: string | Date | undefined
  /** Only this project's, by id or name, even if it was deleted. */
  project?: string | undefined
  /** Page size. */
  limit?: number | undefined
  /** The next_cursor of the previous page. */
  cursor?: string | undefined
}

export type Operations = {
  createPayment: Call<Warned<PaymentLink>, never, PaymentRequest>
  findTransaction: Call<Ok<Transaction>>
  listTransactions: Call<Ok<readonly Transaction[]> & {
    readonly links: NextLink
    readonly meta: TransactionsMeta
  }, Pick<Filters, 'tx_ref' | 'status' | 'currency' | 'email' | 'created_from' | 'created_to' | 'project' | 'limit' | 'cursor'> & {
    /** true: meta.totals has the totals of the whole list, up to 100,000 payments. */
    totals?: boolean | undefined
  }>
  exportTransactions: Call<string, Pick<Filters, 'tx_ref' | 'status' | 'currency' | 'email' | 'created_from' | 'created_to' | 'project'>>
  findAccount: Call<Ok<Account>>
  cancelTransaction: Call<Ok<Transaction>>
  listFormRefusals: Call<Pages<FormRefusal>, Pick<Filters, 'limit' | 'cursor'>>
  refundTransaction: Call<Ok<Refund>, never, RefundRequest>
  listRefundsOfTransaction: Call<Pages<Refund>, Pick<Filters, 'created_from' | 'created_to' | 'limit' | 'cursor'> & {
    /** Only this status. */
    status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
  }>
  findRefund: Call<Ok<Refund>>
  exportRefunds: Call<string, Pick<Filters, 'created_from' | 'created_to'> & {
    /** Only of this payment of yours. */
    tx_ref?: string | undefined
    /** Only this status. */
    status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
  }>
  listRefunds: Call<Pages<Refund>, Pick<Filters, 'created_from' | 'created_to' | 'limit' | 'cursor'> & {
    /** Only of this payment of yours. */
    tx_ref?: string | undefined
    /** Only this status. */
    status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
  }>
  chargeSavedMethod: Call<Ok<Transaction>, never, ChargeRequest>
  listSavedMethods: Call<Pages<SavedMethod>, Pick<Filters, 'limit' | 'cursor'> & {
    /** Only of this customer: your own name for them, as sent with save. */
    customer_ref?: string | undefined
  }>
  findSavedMethod: Call<Ok<SavedMethod>>
  endSavedMethod: Call<Ok<SavedMethod>>
  listDisputes: Call<Pages<ListedDispute>, Pick<Filters, 'limit' | 'cursor'> & {
    /** Only this status. */
    status?: 'evidence_due' | 'under_review' | 'won' | 'lost' | (string & {}) | undefined
    /** Only disputes of this payment. */
    tx_ref?: string | undefined
  }>
  findDispute: Call<Ok<ListedDispute>>
  listPayouts: Call<Pages<Payout>, Pick<Filters, 'limit' | 'cursor'> & {
    /** Only this status. */
    status?: 'announced' | 'on_its_way' | 'arrived' | 'failed' | 'returned' | (string & {}) | undefined
  }>
  payOutNow: Call<Ok<readonly Payout[]>>
  findPayout: Call<Ok<PayoutDetails>>
  listPayoutLines: Call<Pages<PayoutLine>, Pick<Filters, 'limit' | 'cursor'>>
  findBalance: Call<Ok<Balances>>
  listNotifications: Call<Pages<Notification>, Pick<Filters, 'limit' | 'cursor'>>
  resendNotification: Call<Ok<{
    readonly id: string
  }>>
  sendTestNotification: Call<Warned<SampleResult>, never, {
    /** Where to send it. */
    readonly callback_url: string
    /** Default: payment.success. */
    readonly event?: EventName
  }>
  resumeReceiver: Call<Warned<{
    readonly origin: string
    readonly deliveries: number
  }>, never, {
    /** The receiver's URL, such as your callback_url; a host alone means all receivers on it. */
    readonly origin: string
  }>
  createEndpoint: Call<Warned<CreatedEndpoint>, never, {
    /** The URL to call; https in live mode. One endpoint per URL. */
    readonly url: string
    /** Your own note. */
    readonly description?: string
    /** The events it gets; default: all. */
    readonly events?: readonly ('*' | EventName)[]
  }>
  listEndpoints: Call<Pages<Endpoint>, Pick<Filters, 'limit' | 'cursor'>>
  changeEndpoint: Call<Warned<Endpoint>, never, {
    /** The URL to call; https in live mode. One endpoint per URL. */
    readonly url?: string
    /** Your own note. */
    readonly description?: string
    /** The events it gets; default: all. */
    readonly events?: readonly ('*' | EventName)[]
  }>
  deleteEndpoint: Call<Ok<{
    readonly id: string
    readonly deleted: boolean
  }>>
  findEndpoint: Call<Ok<Endpoint>>
  pauseEndpoint: Call<Ok<Endpoint>>
  resumeEndpoint: Call<Ok<Endpoint>>
  rollEndpointSecret: Call<Warned<{
    readonly id: string
    /** The secret that signs notifications to this endpoint. Shown once. */
    readonly secret: string
  }>, never, {
    /** How long the old secret keeps signing. */
    readonly overlap_hours?: number
  }>
  testEndpoint: Call<Warned<SampleResult>, never, {
    /** Default: payment.success. */
    readonly event?: EventName
  }>
  listProjects: Call<Ok<readonly Project[]> & {
    readonly links: PageLinks
    readonly meta: PageMeta
  }, {
    /** Only names that contain this text, ignoring case. % and _ are plain characters. */
    search?: string | undefined
    /** The field to search. */
    search_by?: 'project' | (string & {}) | undefined
    /** The field to sort by. */
    sort_by?: 'created_at' | 'project' | (string & {}) | undefined
    /** The direction. */
    sort?: 'desc' | 'asc' | (string & {}) | undefined
    /** Page size. */
    per_page?: 10 | 25 | 50 | 100 | (number & {}) | undefined
    /** From 1. */
    page?: number | undefined
  }>
  createProject: Call<Warned<Project>, never, ProjectRequest>
  findProject: Call<Ok<Project>>
  renameProject: Call<Warned<Project>, never, ProjectRequest>
  deleteProject: Call<Ok<DeletedProject>>
}
