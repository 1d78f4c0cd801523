// The two buttons below the settings. They are off until this has run: a click before would do nothing.
for (const place of document.querySelectorAll('.florin-connection')) {
  const said = place.querySelector('[role=status]')
  const fields = [...document.querySelectorAll('[name^=woocommerce_florin_]')]
  const { url, nonce, unsaved, broken } = place.dataset
  place.addEventListener('click', (event) => void press(event.target))
  for (const button of place.querySelectorAll('button')) button.disabled = false

  // The buttons use what is saved, and an owner who has just typed a key expects them to use that.
  const hasUnsaved = () =>
    fields.some((field) =>
      field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue,
    )
  function say(text, isGood) {
    said.textContent = text
    said.style.color = isGood ? '' : '#b32d2e'
  }
  async function press(button) {
    const { do: what } = button.dataset
    if (!what) return
    if (hasUnsaved()) return say(unsaved, false)
    button.disabled = true
    say('…', true)
    const body = new URLSearchParams({ action: 'florin_connection', _ajax_nonce: nonce, do: what })
    try {
      const answer = await (await fetch(url, { method: 'POST', body, credentials: 'same-origin' })).json()
      say(answer.data || broken, answer.success)
    } catch {
      say(broken, false)
    }
    button.disabled = false
  }
}
