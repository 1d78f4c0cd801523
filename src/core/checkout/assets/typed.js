// @ts-check
// What was typed, kept for the same tab: a declined card, another language or an answer that never came does not cost the
// customer the rest of the form. Never the number or the code: those stay nowhere. And the cards to try.

const typedKey = `typed ${location.pathname.replace(/\/(pay|done|left)$/, '')}`

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  return /** @type {Record<FieldName, HTMLInputElement>} */ (/** @type {unknown} */ (form.elements))
}

/** All but the number and the code. @param {HTMLFormElement} form */
function keptFields(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input:not([type=hidden])')])
  return inputs.filter(({ name }) => name !== 'number' && name !== 'cvc')
}

/** @param {HTMLFormElement} form */
function keepTyped(form) {
  const typed = keptFields(form).map(({ name, value }) => [name, value])
  try {
    sessionStorage.setItem(typedKey, JSON.stringify(Object.fromEntries(typed)))
  } catch {
    // Storage is switched off: it is typed again.
  }
}

/** @param {HTMLFormElement} form */
function refillTyped(form) {
  try {
    const typed = JSON.parse(sessionStorage.getItem(typedKey) ?? '{}')
    // The order's own name stands there when nothing was typed.
    for (const input of keptFields(form)) input.value = typed[input.name] || input.value
  } catch {
    // As above.
  }
}

/** Switching the language loads the page again. @param {HTMLFormElement} form */
function keepForOtherLanguages(form) {
  for (const link of document.querySelectorAll('footer a'))
    link.addEventListener('click', () => keepTyped(form))
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
    const use = place.closest('table')?.getAttribute('data-use') ?? '{number}'
    button.setAttribute('aria-label', use.replace('{number}', number))
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
  keepForOtherLanguages(payForm)
} else if (!isUnderWay) {
  // Details of the customer, typed before paying: kept from one language to the next and no longer.
  const details = document.querySelector('form[data-details]')
  if (details instanceof HTMLFormElement) {
    refillTyped(details)
    keepForOtherLanguages(details)
  }
  forgetTyped()
}
