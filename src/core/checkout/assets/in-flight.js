// @ts-check
// From the press of a button to its answer. Usually that is the next page; but a load can be stopped, a network can go away and
// an app can close its window, and then nothing comes although the payment may be paid. So the page asks.
//
// Paying and 3-D Secure are sent without leaving the page: where a post fails, a browser would put its own error page in the
// place of all that was typed.

const firstAskMs = 6000
const nextAskMs = 4000
const nextPageMs = 20_000
// So often the payment has to be found untouched before the form is given back: a post can be late.
const untouchedMin = 3

/** Until then, or until the network is back. @param {number} ms */
function pauseOrOnline(ms) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    window.addEventListener('online', () => (clearTimeout(timer), done(undefined)), { once: true })
  })
}

/** Undefined: not known. @param {string} address @returns {Promise<{ screen: string, stage: string, next: string } | undefined>} */
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
  if (isSeen) line.scrollIntoView({ block: 'nearest' })
}

/** The button shows that it works, and none can be pressed twice. @param {HTMLFormElement} form @param {Element | null} button */
function setBusy(form, button) {
  form.setAttribute('data-busy', '')
  tellShop({ type: 'busy', isBusy: true })
  button?.setAttribute('data-pressed', '')
  for (const each of form.querySelectorAll('button')) each.setAttribute('aria-disabled', 'true')
  const paying = form.getAttribute('data-paying')
  const label = button?.querySelector('span')
  if (label && paying) {
    label.setAttribute('data-label', label.textContent ?? '')
    label.textContent = paying
  }
  say(form, paying ?? ofPage('working'), false)
}

/** @param {string} name */
const ofPage = (name) => document.querySelector('main')?.getAttribute(`data-${name}`) ?? ''

/** Nothing has left: the press can be repeated as soon as there is a network. @param {HTMLFormElement} form */
function isOffline(form) {
  if (navigator.onLine) return false
  say(form, ofPage('offline'), true)
  const tell = () => form.hasAttribute('data-busy') || say(form, ofPage('online'), true)
  window.addEventListener('online', tell, { once: true })
  return true
}

/** @param {HTMLFormElement} form @param {Element | null} [button] */
function send(form, button) {
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)))
  if (button instanceof HTMLButtonElement && button.name !== '') fields.append(button.name, button.value)
  const unfinished = new AbortController()
  const answered = post(form, fields, unfinished.signal)
  void followUp(form, answered).then(() => unfinished.abort())
}

/**
 * Where the server says that the customer goes from here. Another state of the payment takes this page's place in the history; the
 * way back to the shop does not, so that going back from there ends at the receipt. A frame has no history to go back in.
 * @param {string} address
 */
function goOn(address) {
  if (/\/done\b/.test(address) && !isFramed) location.assign(address)
  else location.replace(address)
}

/** False: nobody knows whether it arrived. @param {HTMLFormElement} form @param {URLSearchParams} fields @param {AbortSignal} signal */
async function post(form, fields, signal) {
  try {
    const answer = await fetch(form.action, {
      method: 'post',
      body: fields,
      headers: { accept: 'application/json' },
      signal,
    })
    if (answer.status >= 500) return false
    // Refused, before anything was done, is sent again by the browser, which shows why.
    if (answer.status >= 400 && form.hasAttribute('data-pay')) form.submit()
    else goOn(answer.ok ? (await answer.json()).next : ofPage('home'))
    return true
  } catch {
    return false
  }
}

/** @param {HTMLFormElement} form @param {Promise<boolean>} [answered] */
async function followUp(form, answered) {
  const page = document.querySelector('main[data-stage]')
  if (!page) return
  let untouched = 0
  const isAnswered = await Promise.race([pauseOrOnline(firstAskMs), ...(answered ? [answered] : [])])
  // A slow load must not be begun anew; one that was stopped has to be.
  if (isAnswered === true) await pauseOrOnline(nextPageMs)
  for (;;) {
    const answer = await askState(page.getAttribute('data-state') ?? '')
    // Paid, declined, waiting for the bank: the payment's own page says which.
    if (answer && answer.stage !== page.getAttribute('data-stage')) {
      return goOn(answer.next)
    }
    say(form, page.getAttribute('data-slow') ?? '', true)
    if (answer) untouched += 1
    if (untouched >= untouchedMin) return giveBack(form, page)
    await pauseOrOnline(nextAskMs)
  }
}

/** Nothing has arrived. Should it come after all, a second press does no harm: a payment has one attempt at a time. @param {HTMLFormElement} form @param {Element} page */
function giveBack(form, page) {
  form.removeAttribute('data-busy')
  tellShop({ type: 'busy', isBusy: false })
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
    if (answer && answer.screen !== 'pay') return goOn(answer.next)
    if (answer) untouched += 1
    if (untouched >= untouchedMin) return location.replace(place.getAttribute('data-unpaid') ?? '')
    await pauseOrOnline(nextAskMs)
  }
}

for (const form of document.querySelectorAll('main form')) {
  const line = document.createElement('p')
  line.className = 'busy-line unseen'
  line.setAttribute('role', 'status')
  if (form.hasAttribute('data-pay')) {
    // Where somebody looks who has just pressed it.
    form.querySelector('.go')?.after(line)
    continue
  }
  form.append(line)
  form.addEventListener('submit', (event) => {
    if (!(form instanceof HTMLFormElement)) return
    if (form.hasAttribute('data-busy') || isOffline(form)) return event.preventDefault()
    const button = /** @type {SubmitEvent} */ (event).submitter
    setBusy(form, button)
    if (!form.hasAttribute('data-stays')) return void followUp(form)
    event.preventDefault()
    send(form, button)
  })
}

const lost = document.querySelector('[data-lost]')
if (lost) {
  lost.querySelector('[data-checks]')?.removeAttribute('hidden')
  void findOut(lost)
}
