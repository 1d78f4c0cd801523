export { Florin, type FlorinOptions, type RequestOptions } from './florin.ts'
export { List, type Page } from './list.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FlorinError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  SignatureError,
} from './errors.ts'
export { signWebhook, verifyWebhook, type SignedWebhook, type VerifyOptions } from './webhooks.ts'
export { decimalsOf, toDecimal, type Money, type NewPayment, type NewRefund } from './amounts.ts'
export type * from './types.ts'
