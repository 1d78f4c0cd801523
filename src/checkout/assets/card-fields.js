// @ts-check
// Makes the card form quicker for those who have JavaScript. The same rules stand in card-form.ts, which decides.

/** @typedef {'number' | 'expiry' | 'cvc' | 'name'} FieldName */

const byId = (/** @type {string} */ id) => document.getElementById(id)

/** Arabic and Persian keyboards type digits of their own. @param {string} text */
const plainDigits = (text) =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** @param {string} text */
const digitsOf = (text) => plainDigits(text).replace(/\D/g, '')

/** @param {string} digits */
function brandOf(digits) {
  if (digits.startsWith('4')) return 'visa'
  return /^(5[1-5]|2[2-7])/.test(digits) ? 'mastercard' : ''
}

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const weighted = Number(digits[digits.length - 1 - place]) * (place % 2 === 1 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

/** @param {string} text */
function expiryMistake(text) {
  const plain = plainDigits(text).replace(/\s/g, '')
  const match = /^(\d{1,2})[/.-](\d{2}|\d{4})$/.exec(plain) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(plain)
  if (!match) return 'wrong'
  const month = Number(match[1])
  const year = Number(match[2]) + (match[2]?.length === 2 ? 2000 : 0)
  const now = new Date()
  const monthsLeft = (year - now.getFullYear()) * 12 + month - (now.getMonth() + 1)
  if (month < 1 || month > 12 || monthsLeft > 600) return 'wrong'
  return monthsLeft < 0 ? 'past' : ''
}

/** What is wrong with a field, as the end of one of its data attributes. @type {Record<FieldName, (text: string) => string>} */
const rules = {
  number(text) {
    const digits = digitsOf(text)
    if (digits.length < 12 || digits.length > 19 || !passesLuhn(digits)) return 'wrong'
    const tests = [...document.querySelectorAll('[data-card]')].map((cell) => cell.getAttribute('data-card'))
    return tests.length === 0 || tests.some((test) => digitsOf(test ?? '') === digits) ? '' : 'nottest'
  },
  expiry: expiryMistake,
  cvc: (text) => (/^\d{3}$/.test(plainDigits(text).trim()) ? '' : 'wrong'),
  name: (text) => (text.trim().length > 100 ? 'long' : ''),
}

/** @param {HTMLInputElement} input @returns {string} the sentence, or nothing */
function mistakeOf(input) {
  const kind =
    input.value.trim() === '' ? 'missing' : rules[/** @type {FieldName} */ (input.name)](input.value)
  return kind === '' ? '' : (input.getAttribute(`data-${kind}`) ?? '')
}

/** @param {HTMLInputElement} input @param {string} mistake */
function showMistake(input, mistake) {
  const place = byId(`${input.id}-error`)
  if (place) {
    place.textContent = mistake
    place.hidden = mistake === ''
  }
  if (mistake === '') input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  updateSummary(input, mistake)
}

/** What is mended leaves the summary, and the last one takes the summary with it. @param {HTMLInputElement} input @param {string} mistake */
function updateSummary(input, mistake) {
  const problem = byId('problem')
  const link = problem?.querySelector(`a[href="#${input.id}"]`)
  if (!problem || problem.hidden || !link) return
  if (mistake !== '') {
    link.textContent = mistake
    return
  }
  link.closest('li')?.remove()
  if (problem.querySelector('li')) return
  problem.hidden = true
  document.title = input.form?.getAttribute('data-title') ?? document.title
}

/** Keeps the caret behind the same digit. @param {HTMLInputElement} input @param {string} formatted */
function rewrite(input, formatted) {
  if (input.value === formatted) return
  const caret = input.selectionStart ?? input.value.length
  const atEnd = caret === input.value.length
  const before = digitsOf(input.value.slice(0, caret)).length
  input.value = formatted
  let place = 0
  for (let seen = 0; seen < before && place < formatted.length; place += 1) {
    if (/\d/.test(formatted[place] ?? '')) seen += 1
  }
  const end = atEnd ? formatted.length : place
  if (document.activeElement === input) input.setSelectionRange(end, end)
}

/** @param {HTMLInputElement} input @param {boolean} grew */
function formatExpiry(input, grew) {
  const text = plainDigits(input.value)
  let digits = digitsOf(text)
  if (/^[2-9]/.test(digits) || /^\d\s*[/.-]/.test(text)) digits = `0${digits}`
  if (digits.length > 4)
    digits = digits.slice(0, 2) + (digits.length === 6 ? digits.slice(4, 6) : digits.slice(2, 4))
  if (digits.length > 2 || (digits.length === 2 && grew)) {
    rewrite(input, `${digits.slice(0, 2)} / ${digits.slice(2)}`)
  }
}

/** @param {HTMLInputElement} input */
function showBrand(input) {
  const brand = brandOf(digitsOf(input.value))
  const brands = input.parentElement?.querySelector('.brands')
  brands?.toggleAttribute('data-known', brand !== '')
  for (const chip of brands?.children ?? []) {
    chip.toggleAttribute('data-on', chip.getAttribute('data-brand') === brand)
  }
}

/** @param {HTMLFormElement} form */
function enhanceForm(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input:not([type=hidden])')])
  let isPressing = false
  form.noValidate = true
  for (const input of inputs) {
    let before = input.value.length
    input.addEventListener('input', () => {
      if (input.name === 'number') {
        rewrite(
          input,
          digitsOf(input.value)
            .slice(0, 19)
            .replace(/(\d{4})(?=\d)/g, '$1 '),
        )
        showBrand(input)
      }
      if (input.name === 'expiry') formatExpiry(input, input.value.length > before)
      if (input.name === 'cvc') rewrite(input, digitsOf(input.value))
      before = input.value.length
      if (input.hasAttribute('aria-invalid')) showMistake(input, mistakeOf(input))
    })
    // Not while somebody types, not for a field that was only passed through, and not while the button is being
    // pressed: it would move away from under the finger.
    input.addEventListener('change', () => {
      if (input.value.trim() !== '' && !isPressing) showMistake(input, mistakeOf(input))
    })
  }
  form.querySelector('.go')?.addEventListener('pointerdown', () => (isPressing = true))
  window.addEventListener('pointerup', () => (isPressing = false))
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('data-busy')) return event.preventDefault()
    const wrong = inputs.filter((input) => {
      showMistake(input, mistakeOf(input))
      return mistakeOf(input) !== ''
    })
    if (wrong.length === 0) {
      keepTyped(form)
      setBusy(form)
      // proof.js sends it as soon as the proof is there.
      if (!form.hasAttribute('data-proven')) event.preventDefault()
      return
    }
    event.preventDefault()
    showProblems(form, wrong)
  })
}

/** @param {HTMLFormElement} form @param {HTMLInputElement[]} wrong */
function showProblems(form, wrong) {
  const problem = byId('problem')
  const list = problem?.querySelector('ul')
  if (!problem || !list) return
  list.replaceChildren(
    ...wrong.map((input) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = `#${input.id}`
      link.textContent = mistakeOf(input)
      link.addEventListener('click', (event) => {
        event.preventDefault()
        input.focus()
      })
      item.append(link)
      return item
    }),
  )
  byId('declined')?.setAttribute('hidden', '')
  problem.hidden = false
  document.title = form.getAttribute('data-error-title') ?? document.title
  problem.focus()
}

/** The button shows that it works and can't be pressed twice. @param {HTMLFormElement} form */
function setBusy(form) {
  form.setAttribute('data-busy', '')
  const button = form.querySelector('.go')
  button?.setAttribute('aria-disabled', 'true')
  const words = form.getAttribute('data-paying')
  const label = button?.querySelector('span')
  if (label && words) label.textContent = words
}

/* A declined card does not cost the customer the rest of the form. Never the number or the code: those stay nowhere. */

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
    name.value ||= typed.name ?? ''
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
      fields.cvc.value ||= '123'
      fields.name.value ||= 'A Customer'
      for (const input of [fields.number, fields.expiry, fields.cvc, fields.name]) showMistake(input, '')
      showBrand(fields.number)
      const pay = /** @type {HTMLElement | null} */ (form.querySelector('.go'))
      pay?.focus()
    })
    place.replaceChildren(button)
  }
}

const payForm = document.querySelector('form[data-pay]')
// Between the press and the decline there may be the bank's page and a wait.
const isUnderWay = document.querySelector('[data-waiting], [data-once]') !== null
if (payForm instanceof HTMLFormElement && (byId('declined') || byId('wait'))) refillTyped(payForm)
else if (!isUnderWay) forgetTyped()
if (payForm instanceof HTMLFormElement) {
  enhanceForm(payForm)
  offerTestCards(payForm)
}
