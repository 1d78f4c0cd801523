// @ts-check
// From the press of a button to its answer. Usually that is the next page; but a load can be stopped, a network can go away and
// an app can close its window, and then nothing comes although the payment may be paid. So the page asks.

const firstAskMs = 6000
const nextAskMs = 4000
// So often the payment has to be found untouched before the form is given back: a post can be late.
const untouchedMin = 3

/** Until then, or until the network is back. @param {number} ms */
function pauseOrOnline(ms) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    window.addEventListener('online', () => (clearTimeout(timer), done(undefined)), { once: true })
  })
}

/** Undefined: not known. @param {string} address @returns {Promise<{ screen: string, stage: string } | undefined>} */
async function askState(address) {
  try {
    const signal = AbortSignal.timeout(8000)
    const answer = await fetch(address, {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal,
    })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined // Offline for a moment: the next round asks again.
  }
}

/** For those who hear the page; seen only when it is more than the button says. @param {HTMLFormElement} form @param {string} words @param {boolean} isSeen */
function say(form, words, isSeen) {
  const line = form.querySelector('[role=status].busy-line')
  if (!line) return
  line.classList.toggle('unseen', !isSeen)
  line.textContent = words
}

/** The button shows that it works, and none can be pressed twice. @param {HTMLFormElement} form @param {Element | null} button */
function setBusy(form, button) {
  form.setAttribute('data-busy', '')
  button?.setAttribute('data-pressed', '')
  for (const each of form.querySelectorAll('button')) each.setAttribute('aria-disabled', 'true')
  const paying = form.getAttribute('data-paying')
  const label = button?.querySelector('span')
  if (label && paying) {
    label.setAttribute('data-label', label.textContent ?? '')
    label.textContent = paying
  }
  const page = document.querySelector('main[data-stage]')
  say(form, paying ?? page?.getAttribute('data-working') ?? '', false)
  if (page) void followUp(form, page)
}

/** @param {HTMLFormElement} form @param {Element} page */
async function followUp(form, page) {
  let untouched = 0
  let pauseMs = firstAskMs
  for (;;) {
    await pauseOrOnline(pauseMs)
    // Nothing was sent yet: proof.js is still looking for its number.
    if (form.hasAttribute('data-pay') && !form.hasAttribute('data-proven')) continue
    pauseMs = nextAskMs
    const answer = await askState(page.getAttribute('data-state') ?? '')
    // Paid, declined, waiting for the bank: the payment's own page says which.
    if (answer && answer.stage !== page.getAttribute('data-stage')) {
      return location.replace(page.getAttribute('data-home') ?? '')
    }
    say(form, page.getAttribute('data-slow') ?? '', true)
    if (answer) untouched += 1
    if (untouched >= untouchedMin) return giveBack(form, page)
  }
}

/** Nothing has arrived. Should it come after all, a second press does no harm: a payment has one attempt at a time. @param {HTMLFormElement} form @param {Element} page */
function giveBack(form, page) {
  form.removeAttribute('data-busy')
  for (const button of form.querySelectorAll('button')) {
    button.removeAttribute('aria-disabled')
    button.removeAttribute('data-pressed')
    const label = button.querySelector('[data-label]')
    if (label) label.textContent = label.getAttribute('data-label')
  }
  const notice = form.hasAttribute('data-pay') && noticeOfLoss()
  say(form, notice ? '' : (page.getAttribute('data-not-reached') ?? ''), true)
  if (!notice) return
  for (const old of ['declined', 'wait', 'problem']) byId(old)?.setAttribute('hidden', '')
  notice.hidden = false
  notice.focus()
}

function noticeOfLoss() {
  const ready = byId('if-interrupted')
  if (ready instanceof HTMLTemplateElement) ready.replaceWith(ready.content)
  return byId('interrupted')
}

/** After an error while paying: asks until it is known what became of it, and leads there. @param {Element} place */
async function findOut(place) {
  let untouched = 0
  for (;;) {
    const answer = await askState(place.getAttribute('data-lost') ?? '')
    if (answer && answer.screen !== 'pay') return location.replace(place.getAttribute('data-home') ?? '')
    if (answer) untouched += 1
    if (untouched >= untouchedMin) return location.replace(place.getAttribute('data-unpaid') ?? '')
    await pauseOrOnline(nextAskMs)
  }
}

for (const form of document.querySelectorAll('main form')) {
  const line = document.createElement('p')
  line.className = 'busy-line unseen'
  line.setAttribute('role', 'status')
  form.append(line)
  if (form.hasAttribute('data-pay')) continue
  form.addEventListener('submit', (event) => {
    if (form.hasAttribute('data-busy')) return event.preventDefault()
    if (form instanceof HTMLFormElement) setBusy(form, /** @type {SubmitEvent} */ (event).submitter)
  })
}

const lost = document.querySelector('[data-lost]')
if (lost) void findOut(lost)
