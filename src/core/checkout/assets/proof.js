// @ts-check
// While a merchant is under attack each attempt brings a number whose hash, with the page's own signature, begins with enough
// zeros. It is looked for while the customer types, a few milliseconds at a time. The same sum stands in
// src/core/payments/card-testing/proof.ts, which decides.

/** The first 32 bits of the roots, as SHA-256 wants them. @param {number} count @param {number} power */
function fractions(count, power) {
  const found = []
  for (let number = 2; found.length < count; number += 1) {
    let divisor = 2
    while (divisor * divisor <= number && number % divisor !== 0) divisor += 1
    if (divisor * divisor > number) found.push((number ** power % 1) * 2 ** 32)
  }
  return found
}

/** The first 32 bits of the SHA-256 of a text of at most 55 ASCII letters. @param {string} text @param {Uint32Array} words @param {Int32Array} start @param {Int32Array} rounds */
function hashStart(text, words, start, rounds) {
  words.fill(0, 0, 16)
  for (let place = 0; place <= text.length; place += 1) {
    const letter = place < text.length ? text.charCodeAt(place) : 0x80
    words[place >> 2] = (words[place >> 2] ?? 0) | (letter << (24 - (place & 3) * 8))
  }
  words[15] = text.length * 8
  for (let place = 16; place < 64; place += 1) {
    const two = words[place - 2] ?? 0
    const fifteen = words[place - 15] ?? 0
    const high = ((two >>> 17) | (two << 15)) ^ ((two >>> 19) | (two << 13)) ^ (two >>> 10)
    const low = ((fifteen >>> 7) | (fifteen << 25)) ^ ((fifteen >>> 18) | (fifteen << 14)) ^ (fifteen >>> 3)
    words[place] = high + (words[place - 7] ?? 0) + low + (words[place - 16] ?? 0)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = start
  for (let place = 0; place < 64; place += 1) {
    const mixed = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const one = (h + mixed + ((e & f) ^ (~e & g)) + (rounds[place] ?? 0) + (words[place] ?? 0)) | 0
    const other = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const two = (other + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  return (a + (start[0] ?? 0)) >>> 0
}

const sliceMs = 12

/** @param {string} signature @param {number} bits */
async function findProof(signature, bits) {
  const start = Int32Array.from(fractions(8, 1 / 2))
  const rounds = Int32Array.from(fractions(64, 1 / 3))
  const words = new Uint32Array(64)
  const below = 2 ** (32 - bits)
  for (let nonce = 0; ;) {
    const sliceEnds = performance.now() + sliceMs
    while (performance.now() < sliceEnds) {
      for (let more = 0; more < 200; more += 1, nonce += 1) {
        if (hashStart(`${signature}:${nonce}`, words, start, rounds) < below) return String(nonce)
      }
    }
    await new Promise((done) => setTimeout(done, 0))
  }
}

/** At once when no proof is asked for. @param {HTMLFormElement} form */
async function prove(form) {
  const proof = form.querySelector('input[name=proof]')
  const nonce = form.querySelector('input[name=nonce]')
  if (proof instanceof HTMLInputElement && nonce instanceof HTMLInputElement) {
    const [, , bits, signature] = proof.value.split('.')
    nonce.value = await findProof(signature ?? '', Number(bits))
  }
  form.setAttribute('data-proven', '')
  // Pressed before it was found.
  if (form.hasAttribute('data-busy')) send(form)
}

const formToProve = document.querySelector('form[data-pay]')
if (formToProve instanceof HTMLFormElement) void prove(formToProve)
