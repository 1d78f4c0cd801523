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

tellShop({
  type: 'state',
  screen: embedMark?.getAttribute('data-screen'),
  // The shop's page may be in a language that runs the other way.
  direction: document.documentElement.dir,
})

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
    // The shop's page closes the frame when it is time.
    link.removeAttribute('data-return-after')
  }
  for (const form of document.querySelectorAll('form[action*="/choose"]')) form.setAttribute('target', '_top')
  const away = document.querySelector('a[data-away]')
  if (away instanceof HTMLAnchorElement) {
    away.removeAttribute('data-away')
    window.open(away.href, '_top')
  }
}
