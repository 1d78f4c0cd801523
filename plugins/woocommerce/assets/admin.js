// The two buttons below the settings. They are off until this has run: a click before would do nothing.
for (const place of document.querySelectorAll('.florin-connection')) {
  const said = place.querySelector('[role=status]')
  place.addEventListener('click', (event) => void press(event.target))
  for (const button of place.querySelectorAll('button')) button.disabled = false
  async function press(button) {
    const { do: what } = button.dataset
    if (!what) return
    button.disabled = true
    said.textContent = '…'
    const body = new URLSearchParams({
      action: 'florin_connection',
      _ajax_nonce: place.dataset.nonce,
      do: what,
    })
    try {
      const answer = await fetch(place.dataset.url, { method: 'POST', body, credentials: 'same-origin' })
      said.textContent = (await answer.json()).data
    } catch (error) {
      said.textContent = String(error)
    }
    button.disabled = false
  }
}
