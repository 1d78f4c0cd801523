export {
  ConflictError,
  Florin,
  NotFoundError,
  decimalsOf,
  toDecimal,
  verifyWebhook,
  type Transaction,
} from '../../../clients/node/src/index.ts'
