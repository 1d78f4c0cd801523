// @ts-check
// What was typed, kept for the same tab: a declined card, another language or an answer that never came does not cost the
// customer the rest of the form. Never the number or the code: those stay nowhere. And the cards to try.

const typedKey = `typed ${location.pathname.replace(/\/pay$/, '')}`

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  return /** @type {Record<FieldName, HTMLInputElement>} */ (/** @type {unknown} */ (form.elements))
}

/** @param {HTMLFormElement} form */
function keepTyped(form) {
  const { expiry, name } = fieldsOf(form)
  try {
    sessionStorage.setItem(typedKey, JSON.stringify({ expiry: expiry.value, name: name.value }))
  } catch {
    // Storage is switched off: it is typed again.
  }
}

/** @param {HTMLFormElement} form */
function refillTyped(form) {
  const { expiry, name } = fieldsOf(form)
  try {
    const typed = JSON.parse(sessionStorage.getItem(typedKey) ?? '{}')
    expiry.value ||= typed.expiry ?? ''
    // The order's own name stands there when nothing was typed.
    name.value = typed.name || name.value
  } catch {
    // As above.
  }
}

function forgetTyped() {
  try {
    sessionStorage.removeItem(typedKey)
  } catch {
    // Nothing was kept.
  }
}

/** @param {HTMLFormElement} form */
function offerTestCards(form) {
  const fields = fieldsOf(form)
  for (const place of document.querySelectorAll('[data-card]')) {
    const number = place.getAttribute('data-card') ?? ''
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = number
    button.setAttribute('aria-label', place.getAttribute('data-label') ?? number)
    button.addEventListener('click', () => {
      fields.number.value = number
      fields.expiry.value ||= `12 / ${String(new Date().getFullYear() + 3).slice(2)}`
      showBrand(fields.number)
      if (codeMistake(fields.cvc.value) !== '')
        fields.cvc.value = '1234'.slice(0, brandOf(digitsOf(number)) === 'amex' ? 4 : 3)
      fields.name.value ||= 'A Customer'
      for (const input of [fields.number, fields.expiry, fields.cvc, fields.name]) showMistake(input, '')
      const pay = /** @type {HTMLElement | null} */ (form.querySelector('.go'))
      pay?.focus()
    })
    place.replaceChildren(button)
  }
}

/** On a phone they stand below the form, and the foot of the page is nearer without them. */
function foldTestCards() {
  const cards = document.querySelector('details.test-cards')
  if (cards && matchMedia('(max-width: 54.99em)').matches) cards.removeAttribute('open')
}

// Between the press and the answer there may be the bank's page, a wait and a page that went wrong.
const isUnderWay = document.querySelector('[data-waiting], [data-once], [data-lost]') !== null
if (payForm instanceof HTMLFormElement) {
  refillTyped(payForm)
  offerTestCards(payForm)
  foldTestCards()
  for (const link of document.querySelectorAll('footer a'))
    link.addEventListener('click', () => keepTyped(payForm))
} else if (!isUnderWay) {
  forgetTyped()
}
