import { createHmac } from 'node:crypto'

const names = ['secret_key', 'tx_ref', 'amount', 'currency', 'callback_url', 'return_url']
names.push('title', 'description', 'logo', 'meta', 'project')

/** fields: what stands in the form, by name, as text. Gives the value of form_signature. */
function signForm(fields, secret) {
  const also = (fields.form_signed ?? '').split(' ').filter(Boolean)
  const items = fields.items ? ['items'] : []
  const lines = [...names, ...items, 'form_signed', ...also].map((name) => {
    const value = (fields[name] ?? '').replaceAll('\\', '\\\\').replace(/\r\n|\r|\n/g, '\\n')
    return `${name}=${value}`
  })
  return createHmac('sha256', secret)
    .update(['florin-form-v1', ...lines].join('\n'))
    .digest('hex')
}

const fields = {
  secret_key: process.env.FLORIN_FORM_KEY,
  tx_ref: `order-${Date.now()}`,
  amount: '20.00',
  currency: 'GBP',
  return_url: 'https://shop.example.com/thanks',
  title: 'Order 1001',
  meta: JSON.stringify({ cart: 7 }),
  email: 'ada@example.com', // not signed: the customer may correct them
  first_name: 'Ada',
}
fields.form_signature = signForm(fields, process.env.FLORIN_FORM_SECRET)

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
console.log('<form method="post" action="https://pay.example.com/ext_transfer">')
for (const [name, value] of Object.entries(fields)) {
  console.log(`  <input type="hidden" name="${name}" value="${escape(value)}" />`)
}
console.log('  <button>Pay</button>\n</form>')
