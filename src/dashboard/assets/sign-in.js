// Passkeys, and signing in while many others do. Without this file only passkeys don't work.

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
        ? 'This device already has one of your passkeys.'
        : 'That didn’t work. Try again, or continue without a passkey.'
  }
}

// While many people sign in at once, a sign-in brings a number that takes some work to find. Whatever goes wrong, the form is sent
// without it. src/dashboard/people/passwords/proof-of-work.ts has the same calculation.
for (const form of document.querySelectorAll('form[data-proof]')) {
  const button = form.querySelector('button')
  let isAsked = false
  form.addEventListener('submit', (event) => {
    if (isAsked) return
    isAsked = true
    event.preventDefault()
    button.disabled = true
    void prove(form, button)
      .catch(() => {})
      .finally(() => {
        button.disabled = false
        form.requestSubmit()
        isAsked = false
      })
  })
}

async function prove({ dataset, elements }, button) {
  const body = new URLSearchParams({ token: elements.token.value })
  const asked = await fetch(dataset.proof, { method: 'POST', body, signal: AbortSignal.timeout(5_000) })
  const { task, bits, iterations } = await asked.json()
  if (!task) return
  button.textContent = 'Waiting for your turn …'
  const text = new TextEncoder()
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: text.encode(task), iterations }
  for (let nonce = 0; ; nonce += 1) {
    const raw = text.encode(String(nonce))
    const key = await crypto.subtle.importKey('raw', raw, 'PBKDF2', false, ['deriveBits'])
    const start = new DataView(await crypto.subtle.deriveBits(how, key, 32)).getUint32(0)
    if (start >= 2 ** (32 - bits)) continue
    elements.task.value = task
    elements.nonce.value = nonce
    return
  }
}
