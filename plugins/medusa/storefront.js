// After the customer chose to pay: a session at Florin, and off to its page. `sdk` is Medusa's own, `cart` the cart with its e-mail address.
export async function goToFlorin(sdk, cart, returnUrl) {
  const { payment_collection: collection } = await sdk.store.payment.initiatePaymentSession(cart, {
    provider_id: 'pp_florin_florin',
    data: { email: cart.email, first_name: cart.billing_address?.first_name, return_url: returnUrl },
  })
  const session = collection.payment_sessions.find((one) => one.provider_id === 'pp_florin_florin')
  location.assign(session.data.checkout_url)
}

// On the page at `returnUrl`: the order if it was paid, else undefined. Medusa places one order, however often it is asked.
export async function completeOnReturn(sdk, cartId) {
  try {
    const answer = await sdk.store.cart.complete(cartId)
    return answer.type === 'order' ? answer.order : undefined
  } catch (error) {
    if (error.status === 400) return undefined // nobody has paid
    if (error.status !== 409) throw error
    await new Promise((done) => setTimeout(done, 1_000)) // Florin's webhook is completing it at this moment
    return completeOnReturn(sdk, cartId)
  }
}
