// A payment's page in a frame or a pop-up of a shop: tells the shop's page how it stands, and leaves the frame for what can't be shown
// in one. The message is a hint, never a proof: the shop looks the payment up.
const embedMark = document.querySelector('meta[name="florin-embed"]')
const isFramed = window.parent !== window
const shopWindow = isFramed ? window.parent : window.opener

function tellShop(message) {
  if (!embedMark || !shopWindow) return
  // The browser hands it over only where the shop's page is one of these.
  for (const origin of (embedMark.getAttribute('content') ?? '').split(' ')) {
    shopWindow.postMessage({ source: 'florin', ...message }, origin)
  }
}

const returnTo = embedMark?.getAttribute('data-return')
tellShop({
  type: 'state',
  screen: embedMark?.getAttribute('data-screen'),
  // The shop's page may be in a language that runs the other way.
  direction: document.documentElement.dir,
  return_url: returnTo,
})

// Paid. A page that opened this one with our script leaves for the shop's return_url itself, unless the shop wants to stay.
const isOpenedByScript = window.name === 'florin' && shopWindow && !shopWindow.closed
if (returnTo && isOpenedByScript) document.querySelector('.returning')?.remove()
else if (returnTo && isFramed) window.open(returnTo, '_top')
else if (returnTo) location.replace(returnTo)

if (isFramed) {
  document.documentElement.classList.add('framed')
  // The shop's page does not see keys that are pressed in here.
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return
    if (!document.querySelector('[data-busy]')) tellShop({ type: 'close' })
  })
  // The shop's own pages and those of networks take the whole window: no network lets itself be framed.
  for (const link of document.querySelectorAll('.way-back a, a[data-away], .shop a, .contact a')) {
    link.setAttribute('target', '_top')
  }
  for (const form of document.querySelectorAll('form[action*="/choose"]')) form.setAttribute('target', '_top')
  const away = document.querySelector('a[data-away]')
  if (away instanceof HTMLAnchorElement) {
    away.removeAttribute('data-away')
    window.open(away.href, '_top')
  }
}
