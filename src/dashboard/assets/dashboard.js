// Passkeys, menus that close, and copying. Every page works without this file, except for passkeys.

// A form with data-passkey asks for its options first, lets the authenticator sign, and is then sent like any other.
if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      if (form.elements.answer.value) return
      event.preventDefault()
      void sign(form)
    })
  }
} else {
  for (const note of document.querySelectorAll('[data-no-passkey]')) note.hidden = false
}

async function sign(form) {
  const button = form.querySelector('button')
  const problem = form.querySelector('[role=alert]')
  button.disabled = true
  problem.textContent = ''
  try {
    const body = new URLSearchParams({ token: form.elements.token.value })
    const asked = await fetch(form.dataset.options, { method: 'POST', body })
    if (!asked.ok) throw new Error(String(asked.status))
    const options = await asked.json()
    const isNew = form.dataset.passkey === 'new'
    const credential = isNew
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        })
    form.elements.answer.value = JSON.stringify(credential)
    form.requestSubmit()
  } catch (error) {
    button.disabled = false
    problem.textContent =
      error instanceof DOMException && error.name === 'InvalidStateError'
        ? 'This device has a passkey of yours already.'
        : 'The passkey was not used. Try again, or go on without it.'
  }
}

const menus = document.querySelectorAll('details[data-menu]')
document.addEventListener('click', ({ target }) => {
  for (const menu of menus) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of menus) {
    if (!menu.open) continue
    menu.open = false
    menu.querySelector('summary').focus()
  }
})

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const from = button.dataset.copy
      ? document.getElementById(button.dataset.copy).innerText
      : button.previousElementSibling.value
    void navigator.clipboard.writeText(from)
    button.textContent = 'Copied'
  })
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
