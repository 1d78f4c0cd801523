// @ts-check
// Makes the checkout quicker for those who have JavaScript. Everything works without it; nothing here decides
// anything about money. Served as one script with the other files here, which
// stand before it.

/* Waiting for the bank */

const pausesMs = [1000, 2000, 2000, 3000, 5000, 10_000]

/** `then`: where somebody goes for whom a network's page was being opened. @param {string} address @param {string | null} then */
async function watch(address, then) {
  for (let round = 0; ; round += 1) {
    await pauseOrOnline(pausesMs[Math.min(round, pausesMs.length - 1)] ?? 0)
    const answer = await askState(address)
    if (answer?.screen === 'paid') return goOn(answer.next)
    if (answer && answer.screen !== 'waiting') return then ? location.replace(then) : location.reload()
  }
}

/* After many declines */

/** @param {number} seconds */
const asClock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

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
      label.textContent = `${words} \u00b7 ${asClock(left)}`
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

for (const logo of document.querySelectorAll('img')) {
  const drop = () => logo.remove()
  if (logo.complete && logo.naturalWidth === 0) drop()
  else logo.addEventListener('error', drop)
}

const problem = document.querySelector('.problem:not([hidden]), .calm-notice')
if (problem instanceof HTMLElement) problem.focus()

if (payForm instanceof HTMLFormElement) restUntilAllowed(payForm)

const waiting = document.querySelector('[data-waiting]')
if (waiting) {
  waiting.querySelector('[data-checks]')?.removeAttribute('hidden')
  void watch(waiting.getAttribute('data-waiting') ?? '', waiting.getAttribute('data-then'))
}

const printButton = byId('print')
if (printButton) {
  printButton.hidden = false
  printButton.addEventListener('click', () => window.print())
}

goAway()

/** A page that comes back out of the browser's memory may be out of date; one that is not keeps the card that was typed. */
async function comeBack() {
  const page = document.querySelector('main[data-stage]')
  if (!page || document.querySelector('[data-busy]')) return location.reload()
  const answer = await askState(page.getAttribute('data-state') ?? '')
  if (answer && answer.stage !== page.getAttribute('data-stage')) location.reload()
}

window.addEventListener('pageshow', (event) => event.persisted && void comeBack())
