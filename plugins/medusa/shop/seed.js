// Run by `medusa exec` in the trial's Medusa: one region, one chair, one key for the storefront. Prints their ids as JSON.
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows')

exports.default = async function seed({ container }) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Shop' }] })
  const [region] = await run(createRegionsWorkflow, {
    regions: [
      { name: 'UK', currency_code: 'gbp', countries: ['gb'], payment_providers: ['pp_florin_florin'] },
    ],
  })
  const [key] = await run(createApiKeysWorkflow, {
    api_keys: [{ title: 'Shop', type: 'publishable', created_by: '' }],
  })
  await run(linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })
  const [product] = await run(createProductsWorkflow, {
    products: [
      {
        title: 'Oak chair',
        status: 'published',
        sales_channels: [{ id: channel.id }],
        options: [{ title: 'Wood', values: ['Oak'] }],
        variants: [
          {
            title: 'Oak',
            options: { Wood: 'Oak' },
            manage_inventory: false,
            prices: [{ currency_code: 'gbp', amount: 12.34 }],
          },
        ],
      },
    ],
  })
  const made = { region: region.id, channel: channel.id, key: key.token, variant: product.variants[0].id }
  process.stdout.write(`\nSEEDED ${JSON.stringify(made)}\n`)
}
