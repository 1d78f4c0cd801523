// Menus that close, copying, parts that change by themselves, and how far an export is. Every page works without this file.

// A second press of a button while the answer is on its way would cancel the first one, and with it what is shown once. For
// some seconds only: a form whose answer is a file leaves its page as it is.
const sent = new WeakMap()
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (event.defaultPrevented || form.method !== 'post') return
  if (Date.now() - (sent.get(form) ?? 0) < 5_000) event.preventDefault()
  else sent.set(form, Date.now())
})
// Who goes back to a form wants to make another thing, and the page as it was carries the id of the first.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.querySelector('input[type=hidden][name=id]')) location.reload()
})

// On a phone the navigation is behind a button that names the current page.
for (const button of document.querySelectorAll('button[data-menu-of]')) {
  const side = document.getElementById(button.dataset.menuOf)
  const fold = (isFolded) => {
    side.classList.toggle('folded', isFolded)
    button.setAttribute('aria-expanded', String(!isFolded))
  }
  button.hidden = false
  button.textContent = side.querySelector('[aria-current]')?.textContent ?? 'Menu'
  button.setAttribute('aria-label', `Menu: ${button.textContent}`)
  button.addEventListener('click', () => fold(!side.classList.contains('folded')))
  fold(true)
}

// "/" goes to the search field of the page, or to the search for payments.
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (key !== '/' || ctrlKey || metaKey || altKey) return
  if (target.closest('input, textarea, select, [contenteditable]')) return
  const field = document.querySelector('form.filters input:not([type=hidden], [type=date])')
  const payments = document.querySelector('.side a[href$="/payments"]')
  if (!field && !payments) return
  event.preventDefault()
  if (field) field.focus()
  else location.href = `${payments.href}#search`
})

// Filters that a person keeps, by name, in this browser. The address of the list is all there is to keep.
for (const form of document.querySelectorAll('form.filters[data-saves]')) {
  const name = `florin filters ${new URL(form.action).pathname}`
  const read = () => JSON.parse(localStorage.getItem(name) ?? '[]')
  const shown = document.createElement('div')
  shown.className = 'saved-filters'
  const draw = () => {
    const links = read().map(({ label, query }) => {
      const item = document.createElement('span')
      const link = document.createElement('a')
      link.href = `${new URL(form.action).pathname}?${query}`
      link.textContent = label
      const remove = document.createElement('button')
      remove.type = 'button'
      remove.className = 'quiet'
      remove.textContent = '\u00d7'
      remove.setAttribute('aria-label', `Delete the filter ${label}`)
      remove.addEventListener('click', () => {
        localStorage.setItem(name, JSON.stringify(read().filter((one) => one.label !== label)))
        draw()
      })
      item.append(link, remove)
      return item
    })
    shown.replaceChildren(...links)
  }
  form.after(shown)
  draw()
  if (!form.querySelector('.actions a')) continue
  const save = document.createElement('button')
  save.type = 'button'
  save.className = 'button quiet'
  save.textContent = 'Save filter'
  save.addEventListener('click', () => {
    const label = prompt('Name of this filter')?.trim()
    if (!label) return
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== '')).toString()
    const others = read().filter((one) => one.label !== label)
    localStorage.setItem(name, JSON.stringify([...others, { label, query }].slice(-12)))
    draw()
  })
  form.querySelector('.actions').append(save)
}

// A colour can be picked as well as typed.
for (const picker of document.querySelectorAll('input[type=color][data-of]')) {
  const field = document.getElementById(picker.dataset.of)
  const isColour = () => /^#[\da-f]{6}$/i.test(field.value)
  picker.hidden = false
  if (isColour()) picker.value = field.value
  picker.addEventListener('input', () => (field.value = picker.value))
  field.addEventListener('input', () => {
    if (isColour()) picker.value = field.value
  })
}

// On a phone many filters push the list off the screen: all but the first wait behind a button, unless something is looked for. A
// period stays: its first day says nothing without its last.
for (const form of document.querySelectorAll('form.filters')) {
  const isFiltered = form.querySelector('.actions a') || form.querySelector('input, select').type === 'date'
  if (form.querySelectorAll('.field').length < 3 || isFiltered || !matchMedia('(max-width: 759px)').matches)
    continue
  form.classList.add('folded')
  const more = document.createElement('button')
  more.type = 'button'
  more.className = 'button quiet'
  more.textContent = 'More filters'
  more.addEventListener('click', () => {
    form.classList.remove('folded')
    more.remove()
    form.querySelectorAll('input, select')[1].focus()
  })
  form.querySelector('.actions').append(more)
}

const menus = document.querySelectorAll('details[data-menu]')
document.addEventListener('click', ({ target }) => {
  for (const menu of menus) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of menus) {
    if (!menu.open) continue
    menu.open = false
    menu.querySelector('summary').focus()
  }
})

function offerCopies(within) {
  for (const button of within.querySelectorAll('button[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      const from = button.dataset.copy
        ? document.getElementById(button.dataset.copy).innerText
        : button.previousElementSibling.value
      void navigator.clipboard.writeText(from)
      button.textContent = 'Copied'
    })
  }
}
offerCopies(document)

// A form with data-live shows what it would make while one types: it is sent as it would be, and the part of the answer
// that it names takes the place of the one here.
for (const form of document.querySelectorAll('form[data-live]')) {
  let waiting = 0
  let latest = 0
  form.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void redraw(form, (latest += 1)), 300)
  })
  const redraw = async ({ action, dataset }, turn) => {
    const answer = await fetch(action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.getElementById(dataset.live)
    if (!fresh || turn !== latest) return
    document.getElementById(dataset.live).replaceChildren(...fresh.childNodes)
    offerCopies(document.getElementById(dataset.live))
  }
}

// A part with data-again is asked for again while somebody looks at it, until it no longer says so, or for ten minutes:
// what changed takes the place of what was there, and focus stays at its place in the list. Who selects text is not disturbed.
for (const part of document.querySelectorAll('[data-again]')) {
  const until = Date.now() + 600_000
  let last = part.innerHTML
  const look = async () => {
    if (Date.now() > until || !part.dataset.again) return
    if (!document.hidden && document.getSelection().isCollapsed) await refresh().catch(() => {})
    setTimeout(() => void look(), 3_000)
  }
  const refresh = async () => {
    const answer = await fetch(location.href, { redirect: 'error' })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.getElementById(part.dataset.again)
    if (!fresh) return
    if (fresh.innerHTML !== last) {
      last = fresh.innerHTML
      const place = [...part.querySelectorAll('li')].findIndex((one) => one.contains(document.activeElement))
      part.replaceChildren(...fresh.childNodes)
      offerCopies(part)
      part.querySelectorAll('summary')[place]?.focus()
    }
    if (!fresh.dataset.again) delete part.dataset.again
  }
  setTimeout(() => void look(), 3_000)
}

// A download that says how far it is. Whatever goes wrong, the form is sent as if there were no script.
for (const box of document.querySelectorAll('[data-export]')) {
  const form = box.querySelector('form')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void download(form, box).catch(() => form.submit())
  })
}

async function download(form, box) {
  const button = form.querySelector('button')
  const progress = box.querySelector('progress')
  const status = box.querySelector('[role=status]')
  button.disabled = true
  box.querySelector('.export-progress').hidden = false
  try {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
    if (!answer.ok || !answer.headers.get('content-type').startsWith('text/csv'))
      throw new Error(String(answer.status))
    const parts = []
    let rows = -1
    let bytes = 0
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      bytes += value.length
      for (const byte of value) if (byte === 10) rows += 1
      progress.value = Math.max(0, rows)
      status.textContent = sayProgress(rows, bytes)
    }
    progress.value = progress.max
    status.textContent = `Done: ${sayProgress(rows, bytes)}`
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }))
    link.download =
      /filename="([^"]+)"/.exec(answer.headers.get('content-disposition'))?.[1] ?? 'payments.csv'
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  } finally {
    button.disabled = false
  }
}

function sayProgress(rows, bytes) {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  return `${Math.max(0, rows).toLocaleString('en-GB')} payments, ${size}`
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
