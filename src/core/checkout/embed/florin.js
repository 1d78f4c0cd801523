// Opens a payment's page over a shop's page, in a frame or in a pop-up:
//
//   Florin.open({ checkout_url, onSuccess, onClose })
//
// A link with data-florin does the same when it is clicked, and works as a link without this script:
//
//   <a href="https://pay.example.com/link/…" data-florin>Pay</a>
//
// What onSuccess is told comes from the browser, where anybody could say it: look the payment up on your server before you send
// anything. Where the frame is not allowed or the pop-up is blocked, the whole page goes to checkout_url, as without this script.
//
// It is served within a function of its own, so that none of these names are the shop's.

// Seconds in which this page ran: after a laptop's sleep the frame's message and a timer would be due at the same moment.
const readyWithin = 10
const readyAfterLoad = 3
const closeWords = {
  en: 'Close',
  cy: 'Cau',
  fr: 'Fermer',
  de: 'Schließen',
  es: 'Cerrar',
  pl: 'Zamknij',
  ar: 'إغلاق',
}

const looks = {
  dialog: {
    width: 'min(480px, 100vw)',
    height: 'min(820px, 100dvh)',
    maxWidth: '100vw',
    maxHeight: '100dvh',
    padding: '0',
    border: '0',
    borderRadius: '12px',
    overflow: 'hidden',
    background: '#f6f4ef',
    // The backdrop can't be styled without a stylesheet, which the shop's policy may forbid.
    boxShadow: '0 0 0 100vmax rgb(0 0 0 / 0.6)',
  },
  frame: { width: '100%', height: '100%', border: '0', display: 'block' },
  button: {
    position: 'absolute',
    insetBlockStart: '2px',
    insetInlineEnd: '2px',
    width: '44px',
    height: '44px',
    border: '0',
    borderRadius: '22px',
    background: 'rgb(255 255 255 / 0.85)',
    color: '#1c1b18',
    font: '600 22px/1 system-ui, sans-serif',
    cursor: 'pointer',
  },
}

function openCheckout(options) {
  const { checkout_url: address, mode = 'frame', onSuccess, onClose } = options ?? {}
  const url = new URL(address, location.href)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('checkout_url must be the address of a payment')
  let status = 'pending'
  let isClosed = false
  let isReady = false

  function hear(event) {
    const { data } = event
    if (event.origin !== url.origin || event.source !== view.window()) return
    if (data?.source !== 'florin') return
    // Escape, pressed within the frame.
    if (data.type === 'close') return close()
    if (data.type === 'busy') view.setBusy(data.isBusy === true)
    if (data.type !== 'state') return
    isReady = true
    view.setBusy(false)
    view.setDirection(data.direction === 'rtl' ? 'rtl' : 'ltr')
    const was = status
    status = data.screen === 'paid' ? 'success' : (ends[data.screen] ?? 'pending')
    if (status !== 'success' || was === 'success') return
    const stays = onSuccess?.({ status, checkout_url: url.href }) === false
    if (!stays && !isClosed && data.return_url) leaveFor(data.return_url)
  }

  function close() {
    if (isClosed) return
    isClosed = true
    window.removeEventListener('message', hear)
    view.remove()
    onClose?.({ status, checkout_url: url.href })
  }

  /** As the customer would without this script. */
  function leaveFor(place) {
    const { protocol, href } = new URL(place)
    if (!/^https?:$/.test(protocol)) return
    isClosed = true
    window.removeEventListener('message', hear)
    view.leave()
    location.assign(href)
  }

  function giveUp() {
    if (isReady || isClosed) return
    isClosed = true
    window.removeEventListener('message', hear)
    view.remove()
    location.assign(url.href)
  }

  window.addEventListener('message', hear)
  const view = mode === 'popup' ? openPopUp(url.href, close, giveUp) : openFrame(url.href, close, giveUp)
  return { close }
}

const ends = {
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
  refunded: 'refunded',
  reversed: 'reversed',
}

function openPopUp(href, close, giveUp) {
  const popUp = window.open(href, 'florin', 'popup,width=480,height=780')
  if (!popUp) setTimeout(() => giveUp())
  const watch = setInterval(() => popUp?.closed && close(), 300)
  function remove() {
    clearInterval(watch)
    popUp?.close()
  }
  return {
    window: () => popUp,
    setBusy() {},
    setDirection() {},
    leave: remove,
    remove,
  }
}

function openFrame(href, close, giveUp) {
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  const button = document.createElement('button')
  const language = document.documentElement.lang.slice(0, 2).toLowerCase()
  Object.assign(dialog.style, looks.dialog)
  Object.assign(frame.style, looks.frame)
  Object.assign(button.style, looks.button)
  button.type = 'button'
  button.textContent = '×'
  button.setAttribute('aria-label', closeWords[language] ?? closeWords.en)
  button.addEventListener('click', () => dialog.close())
  frame.title = document.title
  frame.name = 'florin'
  frame.allow = 'payment'
  frame.referrerPolicy = 'no-referrer'
  frame.src = href
  let secondsLeft = readyWithin
  frame.addEventListener('load', () => (secondsLeft = Math.min(secondsLeft, readyAfterLoad)))
  const late = setInterval(() => (secondsLeft -= 1) > 0 || giveUp(), 1_000)
  // Escape closes a dialog by itself; not while a payment is on its way, which the button still does.
  let isBusy = false
  dialog.addEventListener('cancel', (event) => isBusy && event.preventDefault())
  dialog.addEventListener('close', close)
  // The shop's policy forbids the frame: no need to wait for it.
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.effectiveDirective === 'frame-src') giveUp()
  })
  dialog.append(frame, button)
  document.body.append(dialog)
  dialog.showModal()
  return {
    window: () => frame.contentWindow,
    setBusy: (is) => (isBusy = is),
    // The button stands where the page's first line ends, away from the logo.
    setDirection: (direction) => (dialog.dir = direction),
    // The receipt can be read until the shop's next page is there.
    leave: () => clearInterval(late),
    remove() {
      clearInterval(late)
      // Closed first, so that the focus goes back to where it was.
      dialog.close()
      dialog.remove()
    },
  }
}

function openLink(event) {
  const link = event.target.closest?.('a[data-florin]')
  if (!link || event.defaultPrevented) return
  // The customer wants a new tab or window.
  if (event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  openCheckout({ checkout_url: link.href })
}

document.addEventListener('click', openLink)
window.Florin = { open: openCheckout }
