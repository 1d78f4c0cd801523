import type { App } from './install.ts'

// The smallest Vendure that takes payments: no plug-ins, the payment method that it brings for trying it out, one product.

const config = `
const { dummyPaymentHandler } = require('@vendure/core')

exports.configOf = (synchronize) => ({
  apiOptions: {
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'peer', password: 'peer' },
  },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize, logging: false },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [],
})
`

const index = `
const { bootstrap } = require('@vendure/core')
const { configOf } = require('./config.js')

void bootstrap(configOf(false))
`

// The tables too: a shop of one's own has no migrations yet.
const seed = `
const { bootstrap } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')
const { configOf } = require('./config.js')

const settle = { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] }
const initial = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'United Kingdom', code: 'GB', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 20 }],
  shippingMethods: [{ name: 'Post', price: 250 }],
  paymentMethods: [{ name: 'Peer', handler: settle }],
  collections: [],
}

populate(() => bootstrap(configOf(true)), initial, 'products.csv')
  .then((app) => app.close())
  .then(() => process.exit(0))
`

// Stock is not kept: all orders are for the same chair, and would wait for one another's row.
const products = [
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets',
  'Chair,chair,A chair,,,,,CHAIR,10.00,Standard,1000,false,,',
  '',
].join('\n')

export const vendureApp: App = {
  dependencies: { '@vendure/core': '3.7.3', pg: '8.23.1' },
  // A package that Vendure needs asks for a version of this one that npm does not have.
  overrides: { '@graphql-tools/batch-execute': '10.2.0' },
  files: { 'config.js': config, 'index.js': index, 'seed.js': seed, 'products.csv': products },
}
