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
  if (/^3[47]/.test(digits)) return 'amex'
  return /^(5[1-5]|2[2-7])/.test(digits) ? 'mastercard' : ''
}

/** The groups in which a number stands on its card. @param {string} digits */
function inGroups(digits) {
  const groups = brandOf(digits) === 'amex' ? /^(.{4})(.{0,6})(.*)$/ : /^(.{4})(.{0,4})(.{0,4})(.{0,4})(.*)$/
  return (groups.exec(digits)?.slice(1) ?? [digits]).filter(Boolean).join(' ')
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
  const plain = plainDigits(text)
    .replace(/\s/g, '')
    .replace(/^(20\d\d)([/.-](\d{1,2})|(\d\d))$/, '$3$4/$1')
  const match = /^(\d{1,2})[/.-](\d{2}|\d{4})$/.exec(plain) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(plain)
  if (!match) return 'wrong'
  const month = Number(match[1])
  const year = Number(match[2]) + (match[2]?.length === 2 ? 2000 : 0)
  const now = new Date()
  const monthsLeft = (year - now.getFullYear()) * 12 + month - (now.getMonth() + 1)
  if (month < 1 || month > 12 || monthsLeft > 600) return 'wrong'
  return monthsLeft < 0 ? 'past' : ''
}

/** Three digits on the back, or, of American Express, four on the front. @param {string} text */
function codeMistake(text) {
  const number = /** @type {HTMLInputElement | null} */ (byId('number'))
  const isFront = brandOf(digitsOf(number?.value ?? '')) === 'amex'
  const isRight = (isFront ? /^\d{4}$/ : /^\d{3}$/).test(plainDigits(text).trim())
  return isRight ? '' : isFront ? 'wrongfront' : 'wrong'
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
  cvc: codeMistake,
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
  // The month is being corrected, with the caret inside: a zero put in now would come back after each Backspace.
  if (/^\d? \/ /.test(text)) return
  let digits = digitsOf(text)
  // 2034-12, as calendars write it: no month is a 20, and no card is good to 2000. The first digit may have been taken for a month.
  const yearFirst = /^0?20(\d{0,4})/.exec(digits)
  if (yearFirst) {
    const year = `20${yearFirst[1]}`
    return rewrite(input, year.length > 4 ? `${year.slice(0, 4)} / ${year.slice(4)}` : year)
  }
  if (/^[2-9]/.test(digits) || /^\d\s*[/.-]/.test(text)) digits = `0${digits}`
  // A year that begins with 20 may go on: no card is good to 2020 any more.
  digits = digits.slice(0, digits.slice(2, 4) === '20' ? 6 : 4)
  if (digits.length > 2 || (digits.length === 2 && grew)) {
    rewrite(input, `${digits.slice(0, 2)} / ${digits.slice(2)}`)
  }
}

/** As it stands on the card, once it was typed in full. @param {HTMLInputElement} input */
function shortenYear(input) {
  input.value = input.value.replace(/^(\d\d \/ )20(\d\d)$/, '$1$2').replace(/^20(\d\d) \/ (\d\d)$/, '$2 / $1')
}

/** @param {HTMLInputElement} input */
function showBrand(input) {
  const brand = brandOf(digitsOf(input.value))
  const brands = input.parentElement?.querySelector('.brands')
  brands?.toggleAttribute('data-known', brand !== '')
  for (const chip of brands?.children ?? []) {
    chip.toggleAttribute('data-on', chip.getAttribute('data-brand') === brand)
  }
  input.form?.toggleAttribute('data-code-in-front', brand === 'amex')
}

/** @param {HTMLFormElement} form */
function enhanceForm(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input:not([type=hidden])')])
  let isPressing = false
  for (const input of inputs) {
    let before = 0
    input.addEventListener('focus', () => (before = input.value.length))
    input.addEventListener('input', () => {
      if (input.name === 'number') {
        rewrite(input, inGroups(digitsOf(input.value).slice(0, 19)))
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
      if (input.name === 'expiry') shortenYear(input)
      if (input.value.trim() !== '' && !isPressing) showMistake(input, mistakeOf(input))
    })
  }
  form.querySelector('.go')?.addEventListener('pointerdown', () => (isPressing = true))
  window.addEventListener('pointerup', () => (isPressing = false))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.hasAttribute('data-busy')) return
    const wrong = inputs.filter((input) => {
      showMistake(input, mistakeOf(input))
      return mistakeOf(input) !== ''
    })
    if (wrong.length > 0) return showProblems(form, wrong)
    if (isOffline(form)) return
    keepTyped(form)
    setBusy(form, form.querySelector('.go'))
    // Otherwise proof.js sends it as soon as the proof is there.
    if (form.hasAttribute('data-proven')) send(form)
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
  for (const old of ['declined', 'interrupted']) byId(old)?.setAttribute('hidden', '')
  const isNoTestCard = wrong.some((input) => mistakeOf(input) === input.getAttribute('data-nottest'))
  if (isNoTestCard) document.querySelector('details.test-cards')?.setAttribute('open', '')
  problem.hidden = false
  document.title = form.getAttribute('data-error-title') ?? document.title
  problem.focus()
}

const payForm = document.querySelector('form[data-pay]')
if (payForm instanceof HTMLFormElement) enhanceForm(payForm)
