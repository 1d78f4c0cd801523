// Made from /openapi.json by `npm run client-types`. Do not edit.

export type Account = {
  readonly merchant: AccountMerchant
  /** test or live; null for an API key, which has none. */
  readonly mode: string | null
  readonly key: AccountKey
  /** In which payments can be created with this key; null for an API key. */
  readonly currencies: readonly string[] | null
  /** Whether live payments are switched on. */
  readonly live_enabled: boolean
}

export type AccountKey = {
  /** secret or api. */
  readonly kind: string
  /** As you named it. */
  readonly name: string
}

export type AccountMerchant = {
  readonly id: number
  readonly name: string
}

export type CreatedEndpoint = Endpoint & {
  /** What notifications to this endpoint are signed with. It is shown once. */
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
  /** The name. Unique among your projects without regard to case. */
  readonly project: string
  readonly deleted: true
}

export type DeliveryAttempt = {
  readonly attempt: number
  readonly created_at: string
  /** How long the answer took. */
  readonly ms: number
  /** What your server answered; null when it did not. */
  readonly http_status: number | null
  /** Why there was no answer: timeout, dns_failed, tls_failed … */
  readonly error: string | null
  /** The first 1 KiB of the answer. */
  readonly answer: string | null
}

/** Only once the customer’s bank asked for the money back; the newest one, or the one that is open. */
export type Dispute = {
  /** dsp_… */
  readonly id: string
  /** evidence_due: answer by evidence_due_at. under_review: the bank decides. won: the money is yours. lost: it is gone. More values may be added. */
  readonly status: string
  /** In the network's word: fraudulent, product_not_received … */
  readonly reason: string
  /** What the bank asks for, which may be less than was paid. */
  readonly amount: string
  /** The same in the currency's smallest unit. */
  readonly amount_minor: number
  readonly currency: string
  /** Until when you can answer, in the dashboard of the network. Null when nothing is asked of you. */
  readonly evidence_due_at: string | null
  /** The bank has the money, for as long as the dispute lasts or for good. The payment is reversed then. */
  readonly money_taken: boolean
  /** How much more went out for the payment than came in: its refunds plus what banks took, less what was paid, in its currency. 0.00 unless it was refunded before the bank took it too. */
  readonly loss: string
  /** The same in the currency’s smallest unit. 0: nothing was lost twice. */
  readonly loss_minor: number
  /** When we heard of it. UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
}

export type Endpoint = {
  readonly id: string
  /** Where it is called; null for a running florin listen. */
  readonly url: string | null
  /** A note of yours. */
  readonly description: string
  /** What it hears of. * alone means all, also events that are added later. */
  readonly events: readonly string[]
  readonly mode: 'test' | 'live' | (string & {})
  /** How its URL does. failing: the last tries were not received. paused: notifications wait until you resume it; Florin pauses a URL that failed for 120 hours. More values may be added. */
  readonly status: string
  readonly failing_since: string | null
  readonly paused_at: string | null
  readonly created_at: string
}

/** Only when code is tx_ref_taken: the payment that has the tx_ref. Form keys are not shown it. */
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
  /** Every rule that failed, by field. Always there when code is validation_failed. */
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
  /** As the form had it, if it was one. */
  readonly tx_ref: string | null
  /** Stands on the page that the customer saw, and in the log. */
  readonly request_id: string
}

export type Item = {
  readonly name: string
  readonly quantity: number
  readonly unit_amount: string
  readonly unit_amount_minor: number
  /** Percent. */
  readonly tax_rate?: string
}

export type ItemRequest = {
  /** What is bought. */
  readonly name: string
  /** 1 when left out. */
  readonly quantity?: number
  /** The price of one with its tax, as amount. May be 0; below zero for a discount. */
  readonly unit_amount: string | number
  /** Percent from 0 to 100, such as 20 or 5.5. Shown as VAT that is included. */
  readonly tax_rate?: string | number
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
}

export type ListedDispute = Dispute & {
  /** Of the disputed payment. */
  readonly tx_ref: string
  readonly mode: 'test' | 'live' | (string & {})
  /** Where you answer the dispute. */
  readonly network: string
}

export type NextLink = {
  readonly next: string | null
}

export type Notification = {
  /** The webhook-id, the same in every try; for an endpoint followed by a dot and its id. */
  readonly id: string
  /** More values may be added. */
  readonly kind: string
  /** What happened. */
  readonly event: string
  /** The URL or the address. */
  readonly target: string
  /** paused waits for a resume, and live mail for a mail server; skipped is mail over the daily limit; kept is a test notification without a callback_url, or mail that stays in the mailbox. More values may be added. */
  readonly status: string
  readonly created_at: string
  /** When it was delivered or given up. */
  readonly finished_at: string | null
  /** When it is tried next. */
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

export type PaymentEvent = Transaction & {
  /** What happened. More values may be added. */
  readonly event: string
}

/** Why the last attempt was declined. Only while status is failed. */
export type PaymentFailure = {
  /** More values may be added. */
  readonly code: string
  /** The same in a sentence, for your shop and not for customers. */
  readonly message: string
}

export type PaymentForm = {
  /** A form key, or a secret key. */
  readonly secret_key: string
  /** Your reference. Unique for every payment of yours in a mode, forever. A whole number is taken as its digits. */
  readonly tx_ref: string
  /** A plain decimal such as 1000.50, more than zero, at most 999,999,999.99. Send a string to be safe. */
  readonly amount: string
  /** ISO 4217. Test mode takes every currency; live mode what your networks take, less what you switched off. */
  readonly currency: string
  /** The customer's address, for the receipt. */
  readonly email: string
  /** The customer's first name. */
  readonly first_name: string
  /** The customer's last name, if there is one. */
  readonly last_name?: string
  /** Where we tell you about the payment (IPN). https in live mode. */
  readonly callback_url?: string
  /** Where the customer goes afterwards. tx_ref and status are added to its query. https in live mode. */
  readonly return_url?: string
  /** With description, logo and items: ignored unless the form is signed or its key allows them. */
  readonly title?: string
  readonly description?: string
  /** A picture. */
  readonly logo?: string
  /** Empty, a JSON object as text, or inputs such as meta[key] and meta[key][inner]. */
  readonly meta?: string
  /** Empty, the list of POST /api/payment as JSON text, or inputs such as items[0][name]. Signed forms take JSON text alone. */
  readonly items?: string
  /** For keys that take signed forms only: HMAC-SHA256 of the fields, in hex. */
  readonly form_signature?: string
  /** Which of email, first_name and last_name are signed too, separated by spaces. */
  readonly form_signed?: string
}

export type PaymentLink = {
  readonly checkout_url: string
}

/** What the customer paid with. Only once it was paid. */
export type PaymentMethod = {
  /** More values may be added. */
  readonly kind: string
  /** The network that took the money: test-network, stripe, gocardless … */
  readonly network: string
  /** Of the card, where the network tells it: Visa … */
  readonly brand: string | null
  /** The last four digits of the card, where we know them. */
  readonly last4: string | null
}

export type PaymentRequest = {
  /** Your reference. Unique for every payment of yours in a mode, forever. A whole number is taken as its digits. */
  readonly tx_ref: string | number
  /** A plain decimal such as 1000.50, more than zero, at most 999,999,999.99. Send a string to be safe. */
  readonly amount: string | number
  /** ISO 4217. Test mode takes every currency; live mode what your networks take, less what you switched off. */
  readonly currency: string
  /** The customer's address, for the receipt. */
  readonly email: string
  /** The customer's first name. */
  readonly first_name: string
  /** The customer's last name, if there is one. */
  readonly last_name?: string
  /** Where we tell you about the payment (IPN). https in live mode. */
  readonly callback_url?: string
  /** Where the customer goes afterwards. tx_ref and status are added to its query. https in live mode. */
  readonly return_url?: string
  readonly customization?: CustomizationRequest
  /** Anything of yours, returned as sent. At most 8 KiB and 5 levels. A list, as PHP writes some arrays, becomes an object with the keys 0, 1, 2 … */
  readonly meta?: Readonly<Record<string, unknown>>
  /** What it is for, line by line. Prices include tax, and all lines add up to amount. */
  readonly items?: readonly ItemRequest[]
  /** Your invoice number, shown on the receipt. */
  readonly invoice_number?: string
  /** One of your projects, by id or name. */
  readonly project?: string
  /** How many seconds it can be paid, from 30 minutes to 30 days. Without it: as long as the settings of your shop say. Not in web forms. */
  readonly expires_in?: number | string
}

export type Project = {
  readonly id: string
  /** The name. Unique among your projects without regard to case. */
  readonly project: string
  readonly created_at: string
  readonly updated_at: string
}

export type ProjectRequest = {
  /** The name. Unique among your projects without regard to case. */
  readonly project: string
}

export type Refund = {
  readonly refund_ref: string
  /** Of the payment. */
  readonly tx_ref: string
  /** Our reference of the payment, as on the receipt. */
  readonly reference: string
  readonly mode: 'test' | 'live' | (string & {})
  /** Whether the money went back: only when it says success. requested: the network has not answered. submitted: it has not decided. More values may be added. */
  readonly status: string
  readonly currency: string
  /** With thousands separators and at least two decimals. */
  readonly amount: string
  /** The same amount in the currency's smallest unit. */
  readonly amount_minor: number
  /** What of our fee went back to you with it. */
  readonly fee_returned: string
  /** The same in the currency's smallest unit. */
  readonly fee_returned_minor: number
  /** Empty when you sent none. */
  readonly reason: string
  /** Only when it failed: why, in the words of the network. */
  readonly failure?: string
  /** UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
  /** Only when it is looked up by itself: what it was, and since when. */
  readonly history?: readonly RefundStep[]
}

export type RefundEvent = Refund & {
  /** What happened. More values may be added. */
  readonly event: string
}

export type RefundRequest = {
  /** Your reference. Unique for every refund of yours in a mode, forever: sent again, it gives the same refund and no second one. A whole number is taken as its digits. */
  readonly refund_ref: string | number
  /** How much of the payment goes back, as a plain decimal such as 10.50. All that is left when you leave it out. */
  readonly amount?: string | number
  /** Why. The customer reads it in the mail and on the receipt. */
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
  /** What your server answered. */
  readonly http_status: number | null
  /** Why there was no answer. */
  readonly error: string | null
  readonly ms: number
  /** The first 1 KiB of the answer. */
  readonly answer: string | null
}

export type SignedNotification = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  /** The headers to forward, signatures included. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes that are signed. */
  readonly body: string
}

export type Transaction = {
  readonly first_name: string
  /** Empty when you sent none. */
  readonly last_name: string
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
  /** How much went back in all, in the currency's smallest unit: 0 before the first refund. */
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
  /** Only when you sent some. */
  readonly items?: readonly Item[]
  /** Only when you sent one. */
  readonly invoice_number?: string
  /** UTC, with microseconds. */
  readonly created_at: string
  /** UTC, with microseconds. */
  readonly updated_at: string
  /** Until when it can be paid. UTC, with microseconds. */
  readonly expires_at: string
  /** When it was paid. Only once it was. */
  readonly paid_at?: string
  readonly method?: PaymentMethod
  readonly failure?: PaymentFailure
  /** Only while pending. */
  readonly checkout_url?: string
  /** Only once something went back: how much, in all. */
  readonly refunded?: string
  /** Only in the look-up, and only once a refund was asked for: the refunds, the oldest first, those that failed too. */
  readonly refunds?: readonly (Readonly<Record<string, unknown>>)[]
  readonly dispute?: Dispute
  /** The project's name, also when it was deleted. In the list and of a cancelled payment. */
  readonly project?: string
  /** The project's id, wherever its name is shown. */
  readonly project_id?: string
}

export type TransactionsMeta = {
  readonly limit: number
  readonly next_cursor: string | null
  /** Only with totals=true: what all pages together come to, per currency and status. */
  readonly totals?: readonly ListTotal[]
}

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
  listDisputes: ['GET', '/api/disputes'],
  findDispute: ['GET', '/api/disputes/{id}'],
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

export type Operations = {
  createPayment: {
    query: never
    body: PaymentRequest
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: PaymentLink
    }
  }
  findTransaction: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Transaction
    }
  }
  listTransactions: {
    query: {
      /** Only the one with this reference of yours. */
      tx_ref?: string | undefined
      /** Only this status. */
      status?: 'pending' | 'success' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'reversed' | (string & {}) | undefined
      /** Only this currency. */
      currency?: string | undefined
      /** Only this customer's, without regard to case. */
      email?: string | undefined
      /** From this time on. The + of an offset is written %2B. */
      created_from?: string | Date | undefined
      /** Before this time. The + of an offset is written %2B. */
      created_to?: string | Date | undefined
      /** Only of this project, by id or name. It may have been deleted. */
      project?: string | undefined
      /** true: meta.totals says what the whole list comes to, at most 100,000 payments. */
      totals?: boolean | undefined
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Transaction[]
      readonly links: NextLink
      readonly meta: TransactionsMeta
    }
  }
  exportTransactions: {
    query: {
      /** Only the one with this reference of yours. */
      tx_ref?: string | undefined
      /** Only this status. */
      status?: 'pending' | 'success' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'reversed' | (string & {}) | undefined
      /** Only this currency. */
      currency?: string | undefined
      /** Only this customer's, without regard to case. */
      email?: string | undefined
      /** From this time on. The + of an offset is written %2B. */
      created_from?: string | Date | undefined
      /** Before this time. The + of an offset is written %2B. */
      created_to?: string | Date | undefined
      /** Only of this project, by id or name. It may have been deleted. */
      project?: string | undefined
    }
    body: never
    answer: string
  }
  findAccount: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Account
    }
  }
  cancelTransaction: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Transaction
    }
  }
  listFormRefusals: {
    query: {
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly FormRefusal[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  refundTransaction: {
    query: never
    body: RefundRequest
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Refund
    }
  }
  listRefundsOfTransaction: {
    query: {
      /** Only this status. */
      status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
      /** From this time on. The + of an offset is written %2B. */
      created_from?: string | Date | undefined
      /** Before this time. The + of an offset is written %2B. */
      created_to?: string | Date | undefined
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Refund[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  findRefund: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Refund
    }
  }
  exportRefunds: {
    query: {
      /** Only of this payment of yours. */
      tx_ref?: string | undefined
      /** Only this status. */
      status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
      /** From this time on. The + of an offset is written %2B. */
      created_from?: string | Date | undefined
      /** Before this time. The + of an offset is written %2B. */
      created_to?: string | Date | undefined
    }
    body: never
    answer: string
  }
  listRefunds: {
    query: {
      /** Only of this payment of yours. */
      tx_ref?: string | undefined
      /** Only this status. */
      status?: 'requested' | 'submitted' | 'success' | 'failed' | (string & {}) | undefined
      /** From this time on. The + of an offset is written %2B. */
      created_from?: string | Date | undefined
      /** Before this time. The + of an offset is written %2B. */
      created_to?: string | Date | undefined
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Refund[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  listDisputes: {
    query: {
      /** Only this status. */
      status?: 'evidence_due' | 'under_review' | 'won' | 'lost' | (string & {}) | undefined
      /** Only those of this payment. */
      tx_ref?: string | undefined
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly ListedDispute[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  findDispute: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: ListedDispute
    }
  }
  listNotifications: {
    query: {
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Notification[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  resendNotification: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: {
        readonly id: string
      }
    }
  }
  sendTestNotification: {
    query: never
    body: {
      /** Where to send it. */
      readonly callback_url: string
      /** payment.success when left out. */
      readonly event?: 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'payment.expired' | 'payment.refunded' | 'payment.reversed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'refund.success' | 'refund.failed' | (string & {})
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: SampleResult
    }
  }
  resumeReceiver: {
    query: never
    body: {
      /** The URL of the receiver, such as your callback_url; a host alone means all that are there. */
      readonly origin: string
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: {
        readonly origin: string
        readonly deliveries: number
      }
    }
  }
  createEndpoint: {
    query: never
    body: {
      /** Where to call it; https in live mode. One endpoint per URL. */
      readonly url: string
      /** A note of yours. */
      readonly description?: string
      /** What it hears of; all when left out. */
      readonly events?: readonly ('*' | 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'payment.expired' | 'payment.refunded' | 'payment.reversed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'refund.success' | 'refund.failed' | (string & {}))[]
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: CreatedEndpoint
    }
  }
  listEndpoints: {
    query: {
      /** How many on a page. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Endpoint[]
      readonly links: NextLink
      readonly meta: CursorMeta
    }
  }
  changeEndpoint: {
    query: never
    body: {
      /** Where to call it; https in live mode. One endpoint per URL. */
      readonly url?: string
      /** A note of yours. */
      readonly description?: string
      /** What it hears of; all when left out. */
      readonly events?: readonly ('*' | 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'payment.expired' | 'payment.refunded' | 'payment.reversed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'refund.success' | 'refund.failed' | (string & {}))[]
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Endpoint
    }
  }
  deleteEndpoint: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: {
        readonly id: string
        readonly deleted: boolean
      }
    }
  }
  findEndpoint: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Endpoint
    }
  }
  pauseEndpoint: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Endpoint
    }
  }
  resumeEndpoint: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Endpoint
    }
  }
  rollEndpointSecret: {
    query: never
    body: {
      /** For how long the old secret signs as well. */
      readonly overlap_hours?: number
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: {
        readonly id: string
        /** What notifications to this endpoint are signed with. It is shown once. */
        readonly secret: string
      }
    }
  }
  testEndpoint: {
    query: never
    body: {
      /** payment.success when left out. */
      readonly event?: 'payment.success' | 'payment.failed' | 'payment.cancelled' | 'payment.expired' | 'payment.refunded' | 'payment.reversed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'refund.success' | 'refund.failed' | (string & {})
    }
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: SampleResult
    }
  }
  listProjects: {
    query: {
      /** Only names that contain this, without regard to case. % and _ are plain characters. */
      search?: string | undefined
      /** What is searched. */
      search_by?: 'project' | (string & {}) | undefined
      /** What is sorted by. */
      sort_by?: 'created_at' | 'project' | (string & {}) | undefined
      /** The direction. */
      sort?: 'desc' | 'asc' | (string & {}) | undefined
      /** Page size. */
      per_page?: 10 | 25 | 50 | 100 | (string & {}) | undefined
      /** From 1. */
      page?: number | undefined
    }
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: readonly Project[]
      readonly links: PageLinks
      readonly meta: PageMeta
    }
  }
  createProject: {
    query: never
    body: ProjectRequest
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Project
    }
  }
  findProject: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Project
    }
  }
  renameProject: {
    query: never
    body: ProjectRequest
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: Project
    }
  }
  deleteProject: {
    query: never
    body: never
    answer: {
      readonly status: 'success'
      readonly message: string
      readonly data: DeletedProject
    }
  }
}
