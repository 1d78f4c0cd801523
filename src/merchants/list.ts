// What the command line and the dashboard show of merchants and their keys.
export { listKeys, listMerchants, type KeyRow, type MerchantRow } from './store.ts'
