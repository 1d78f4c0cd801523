import type { App } from './install.ts'

// The smallest Medusa that takes payments: its own modules in memory, no admin pages, one shop with one product.

const config = `
const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { jwtSecret: 'peer', cookieSecret: 'peer', storeCors: '', adminCors: '', authCors: '' },
  },
})
`

// Carts with one line and their payment collections, made in bulk: over HTTP they would take minutes.
const seed = `
const { writeFileSync } = require('node:fs')
const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')

const atOnce = 200

exports.default = async ({ container, args }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Peer' }] })
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Peer', type: 'publishable', created_by: '' }],
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      { name: 'Britain', currency_code: 'gbp', countries: ['gb'], payment_providers: ['pp_system_default'] },
    ],
  })
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: 'Chair',
        status: 'published',
        sales_channels: [{ id: channel.id }],
        options: [{ title: 'Colour', values: ['Red'] }],
        variants: [
          {
            title: 'Red',
            options: { Colour: 'Red' },
            manage_inventory: false,
            prices: [{ amount: 12.5, currency_code: 'gbp' }],
          },
        ],
      },
    ],
  })
  const cart = {
    region_id: region.id,
    sales_channel_id: channel.id,
    currency_code: 'gbp',
    email: 'ada@example.com',
    items: [{ title: 'Chair', quantity: 1, unit_price: 12.5, product_id: product.id, variant_id: product.variants[0].id }],
  }
  const carts = []
  while (carts.length < Number(args[0])) carts.push(...(await makeCarts(container, cart)))
  writeFileSync('seed.json', JSON.stringify({ key: key.token, carts }))
}

async function makeCarts(container, cart) {
  const copies = (value) => Array.from({ length: atOnce }, () => structuredClone(value))
  const carts = await container.resolve(Modules.CART).createCarts(copies(cart))
  const collections = await container
    .resolve(Modules.PAYMENT)
    .createPaymentCollections(copies({ currency_code: 'gbp', amount: 12.5 }))
  const pairs = carts.map(({ id }, at) => ({ cart: id, collection: collections[at].id }))
  await container.resolve(ContainerRegistrationKeys.LINK).create(
    pairs.map(({ cart, collection }) => ({
      [Modules.CART]: { cart_id: cart },
      [Modules.PAYMENT]: { payment_collection_id: collection },
    })),
  )
  return pairs
}
`

export const medusaApp: App = {
  dependencies: {
    '@medusajs/cli': '2.21.2',
    '@medusajs/framework': '2.21.2',
    '@medusajs/medusa': '2.21.2',
  },
  files: { 'medusa-config.js': config, 'seed.js': seed },
}
