// The two buttons below the settings.
for (const place of document.querySelectorAll('.florin-connection')) {
  const said = place.querySelector('[role=status]')
  place.addEventListener('click', async (event) => {
    const { do: what } = event.target.dataset
    if (!what) return
    event.target.disabled = true
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
    event.target.disabled = false
  })
}
