// @ts-check
// Makes the checkout quicker for those who have JavaScript. Everything works without it; nothing here decides
// anything about money. Served as one script with card-fields.js, which stands before it.

/* Waiting for the bank */

const pausesMs = [1000, 2000, 2000, 3000, 5000, 10_000]

/** @param {string} address */
async function watch(address) {
  for (let round = 0; ; round += 1) {
    await new Promise((done) => setTimeout(done, pausesMs[Math.min(round, pausesMs.length - 1)]))
    try {
      const answer = await fetch(address, { headers: { accept: 'application/json' } })
      const { screen } = await answer.json()
      if (answer.ok && screen !== 'waiting') return location.reload()
    } catch {
      // Offline for a moment: the next round asks again.
    }
  }
}

/* After many declines */

/** The button counts down to when the form can be sent again. @param {HTMLFormElement} form */
function restUntilAllowed(form) {
  const seconds = Number(form.getAttribute('data-wait') ?? 0)
  const button = form.querySelector('button.go')
  const label = button?.querySelector('span')
  if (seconds === 0 || !(button instanceof HTMLButtonElement) || !label) return
  const words = label.textContent
  const endsAt = performance.now() + seconds * 1000
  button.disabled = true
  const show = () => {
    const left = Math.ceil((endsAt - performance.now()) / 1000)
    if (left > 0) {
      label.textContent = `${words} \u00b7 ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
      return
    }
    clearInterval(timer)
    label.textContent = words
    button.disabled = false
    const line = byId('wait-line')
    if (line) line.textContent = line.getAttribute('data-over')
  }
  const timer = setInterval(show, 250)
  show()
}

/* To the network's own page */

/** Instead of an entry in the history that would lead there again: the way back ends at the choice. */
function goAway() {
  const link = document.querySelector('a[data-away]')
  if (link instanceof HTMLAnchorElement) location.replace(link.href)
}

/* After the receipt */

const returnedKey = `returned ${location.pathname}`

/** Once per tab: the back button must lead to the receipt, not past it. */
function hasReturned() {
  try {
    return sessionStorage.getItem(returnedKey) !== null
  } catch {
    return true // Storage is switched off: better to stay than to send somebody away again and again.
  }
}

/** @param {HTMLAnchorElement} link */
function returnLater(link) {
  const note = byId('returning')
  if (!note || hasReturned()) return
  note.hidden = false
  const timer = setTimeout(
    () => {
      sessionStorage.setItem(returnedKey, 'yes')
      location.assign(link.href)
    },
    Number(link.getAttribute('data-return-after')) * 1000,
  )
  const stay = () => {
    clearTimeout(timer)
    note.hidden = true
  }
  byId('stay')?.addEventListener('click', stay)
  window.addEventListener('beforeprint', stay)
  document.querySelector('.tools')?.addEventListener('click', stay)
  link.addEventListener('click', () => sessionStorage.setItem(returnedKey, 'yes'))
}

function showLocalTimes() {
  const { lang } = document.documentElement
  const locale = lang === 'en' ? 'en-GB' : lang === 'ar' ? 'ar-u-nu-latn' : lang
  // Browsers without Welsh would say it in English: the server's words in UTC are better.
  if (Intl.DateTimeFormat.supportedLocalesOf(locale).length === 0) return
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  for (const place of document.querySelectorAll('time')) {
    const date = new Date(place.dateTime)
    const day = date.toLocaleDateString(locale, { dateStyle: 'long' })
    place.textContent = `${day}${lang === 'ar' ? '\u060c' : ','} ${clock.format(date).replace(/\s/g, '\u00a0')}`
  }
}

for (const logo of document.querySelectorAll('img')) {
  const drop = () => logo.remove()
  if (logo.complete && logo.naturalWidth === 0) drop()
  else logo.addEventListener('error', drop)
}

for (const form of document.querySelectorAll('form')) {
  if (!form.hasAttribute('data-pay')) {
    form.addEventListener('submit', (event) => {
      if (form.hasAttribute('data-busy')) event.preventDefault()
      form.setAttribute('data-busy', '')
    })
  }
}

const problem = document.querySelector('.problem:not([hidden])')
if (problem instanceof HTMLElement) problem.focus()

if (payForm instanceof HTMLFormElement) restUntilAllowed(payForm)

const waiting = document.querySelector('[data-waiting]')
if (waiting) void watch(waiting.getAttribute('data-waiting') ?? '')

const back = document.querySelector('a[data-return-after]')
if (back instanceof HTMLAnchorElement) returnLater(back)

const printButton = byId('print')
if (printButton) {
  printButton.hidden = false
  printButton.addEventListener('click', () => window.print())
}

showLocalTimes()
goAway()

// A page that comes back out of the browser's memory may be out of date: ask for the truth.
window.addEventListener('pageshow', (event) => event.persisted && location.reload())
