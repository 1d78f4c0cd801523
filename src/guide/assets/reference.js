// The guide works without this. With it: buttons that copy, one language for all code, answers while you type.

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copyShown(figure, button))
  figure.querySelector('figcaption').append(button)
}

async function copyShown(figure, button) {
  const shown = [...figure.querySelectorAll('pre')].find((pre) => pre.checkVisibility())
  button.textContent = (await copy(shown)) ? 'Copied' : 'Press Ctrl+C'
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.innerText)
    return true
  } catch {
    // No clipboard on plain http or without leave: select it, so that one key copies it.
    getSelection().selectAllChildren(pre)
    return false
  }
}

const chosen = 'florin-language'
function choose(language) {
  for (const input of document.querySelectorAll('.languages input')) {
    if (input.value === language) input.checked = true
  }
}
function remembered(language) {
  try {
    if (language) localStorage.setItem(chosen, language)
    return localStorage.getItem(chosen)
  } catch {
    return language // a browser that keeps nothing
  }
}
document.addEventListener('change', (event) => {
  if (!event.target.matches('.languages input')) return
  const { top } = event.target.getBoundingClientRect()
  choose(remembered(event.target.value) ?? event.target.value)
  // Other blocks above may have grown or shrunk: stay where the reader is.
  scrollBy(0, event.target.getBoundingClientRect().top - top)
})
choose(remembered())

const form = document.querySelector('form.search')
const input = form.querySelector('input')
const found = form.querySelector('.found')
let asked = 0

input.addEventListener('input', () => void find())

async function find() {
  const number = (asked += 1)
  const words = input.value.trim()
  if (words.length < 2) return show()
  const answer = await fetch(`${form.action}?q=${encodeURIComponent(words)}`).catch(() => undefined)
  if (!answer?.ok || number !== asked) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  show(page.querySelector('.results, .nothing'))
}

function show(results) {
  found.hidden = !results
  found.replaceChildren(...(results ? [results] : []))
  const links = found.querySelectorAll('a')
  if (results) found.setAttribute('aria-label', links.length === 1 ? '1 result' : `${links.length} results`)
}

form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    show()
    return input.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || found.hidden) return
  event.preventDefault()
  const stops = [input, ...found.querySelectorAll('a')]
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus()
})
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) show()
  // A link within this page leaves the menu open otherwise.
  if (event.target.closest?.('#menu a')) document.querySelector('#menu').hidePopover?.()
  if (event.target.closest?.('.found a')) show()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, textarea')) return
  event.preventDefault()
  input.focus()
})

const here = new Map(
  [...document.querySelectorAll('#menu ul ul a')].map((link) => [link.hash.slice(1), link]),
)
const seen = new Set()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target.id)
    const first = [...here.keys()].find((id) => seen.has(id))
    for (const [id, link] of here) link.classList.toggle('here', id === first)
  },
  { rootMargin: '-72px 0px -55%' },
)
for (const id of here.keys()) {
  const section = document.getElementById(id)
  if (section) observer.observe(section)
}
