import { AbstractPaymentProvider, ModuleProvider, Modules } from '@medusajs/framework/utils'
import { checkOptions, FlorinPayments, type Options } from './payments.ts'

// The ten methods of a payment provider, under Medusa's names.

export class FlorinProvider extends AbstractPaymentProvider<Options> {
  static override identifier = 'florin'
  readonly #payments: FlorinPayments

  constructor(container: Record<string, unknown>, options: Options) {
    super(container, options)
    const logger = container['logger'] as { error(text: string): void }
    this.#payments = new FlorinPayments(options, (text) => logger.error(text))
  }

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options)
  }

  initiatePayment(input: Parameters<FlorinPayments['initiate']>[0]) {
    return this.#payments.initiate(input)
  }
  updatePayment(input: Parameters<FlorinPayments['update']>[0]) {
    return this.#payments.update(input)
  }
  authorizePayment(input: Parameters<FlorinPayments['status']>[0]) {
    return this.#payments.status(input)
  }
  getPaymentStatus(input: Parameters<FlorinPayments['status']>[0]) {
    return this.#payments.status(input)
  }
  retrievePayment(input: Parameters<FlorinPayments['status']>[0]) {
    return this.#payments.status(input)
  }
  capturePayment(input: Parameters<FlorinPayments['capture']>[0]) {
    return this.#payments.capture(input)
  }
  cancelPayment(input: Parameters<FlorinPayments['cancel']>[0]) {
    return this.#payments.cancel(input)
  }
  deletePayment(input: Parameters<FlorinPayments['cancel']>[0]) {
    return this.#payments.cancel(input)
  }
  refundPayment(input: Parameters<FlorinPayments['refund']>[0]) {
    return this.#payments.refund(input)
  }
  getWebhookActionAndData(call: Parameters<FlorinPayments['readWebhook']>[0]) {
    return this.#payments.readWebhook(call)
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [FlorinProvider] })
