import { readFileSync } from 'node:fs'
import { ruleMistake, type PasswordRule } from './rules.ts'

// Passwords an attacker would try first are refused: words of the list we ship, with any digits, symbols and look-alike
// letters around them, keyboard rows, sequences and repeats, and names of the person or the product. Length does the
// rest: a sentence of four words passes all of this.

const lengthMax = 200

const common = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** What is wrong with it, as a sentence; undefined if it may be used. `about`: what others know about the person. */
export function passwordMistake(
  password: string,
  about: readonly string[],
  rule: PasswordRule,
): string | undefined {
  const broken = ruleMistake(password, rule)
  if (broken !== undefined) return broken
  if ([...password].length > lengthMax) return `Use at most ${lengthMax} characters`
  if (isPredictable(password)) return 'This password is too easy to guess'
  const own = about.flatMap(namesIn).find((name) => coreIs(password, name))
  return own === undefined ? undefined : 'Your password must not contain your name or e-mail address'
}

function isPredictable(password: string): boolean {
  const plain = password.toLowerCase()
  const letters = readings(plain)
  return (
    new Set(plain).size < 5 ||
    isRepeated(plain) ||
    isRun(plain) ||
    common.has(plain) ||
    letters.some((text) => isMadeOfCommonWords(text))
  )
}

/** The parts of an e-mail address before and after the @, and the words of a name. */
function namesIn(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''), ...words].filter((word) => word.length >= 4)
}

/** Beside the name there is hardly anything else. */
function coreIs(password: string, name: string): boolean {
  return readings(password.toLowerCase()).some((text) => {
    const at = text.indexOf(name)
    return at !== -1 && text.replaceAll(/[^\p{L}]/gu, '').length - name.length < 4
  })
}

const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[@4]/g, 'a'],
  [/3/g, 'e'],
  [/0/g, 'o'],
  [/[$5]/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
]

/** As typed, and with digits replaced by the letters they imitate. */
function readings(plain: string): string[] {
  const meant = lookAlikes.reduce((text, [sign, letter]) => text.replace(sign, letter), plain)
  return [...new Set([plain, meant.replace(/[1!|]/g, 'i'), meant.replace(/[1!|]/g, 'l')])]
}

/** Common words one after the other, with digits and signs between them: not more than two make a password better. */
function isMadeOfCommonWords(text: string): boolean {
  const words = text.split(/[^\p{L}]+/u).filter((word) => word.length > 1)
  // Nothing but digits and signs: a date, a number of a telephone.
  if (words.length === 0) return !/[^\0-\x7f]/.test(text)
  if (words.length > 2) return false
  return words.every(
    (word) => common.has(word) || isRun(word) || isRepeated(word) || isTwoCommon(word, 2 - words.length),
  )
}

function isTwoCommon(word: string, more: number): boolean {
  if (more < 1) return false
  for (let at = 3; at <= word.length - 3; at += 1)
    if (common.has(word.slice(0, at)) && common.has(word.slice(at))) return true
  return false
}

/** One short part again and again: abcabcabcabc. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= Math.min(8, text.length / 2); size += 1) {
    const part = text.slice(0, size)
    if (part.repeat(Math.ceil(text.length / size)).startsWith(text)) return true
  }
  return false
}

const rows = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
]
const columns = [
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  '8ik',
  'zaq1',
  'xsw2',
  'cde3',
  'qaz',
  'wsx',
  'edc',
  'rfv',
  'tgb',
  'yhn',
  'ujm',
]

/** Whether it is made of pieces that a finger slides over, each of three keys or more. */
function isRun(text: string): boolean {
  if (text.length < 4) return false
  const lines = [...rows, ...columns, 'abcdefghijklmnopqrstuvwxyz']
  const ways = lines.flatMap((line) => [line, [...line].toReversed().join('')])
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const longest = Math.max(...ways.map((way) => commonStart(way, rest)))
    if (longest < Math.min(3, rest.length)) return false
    at += longest
  }
  return true
}

/** How much of `text` is part of the line, from wherever its first letter is. */
function commonStart(line: string, text: string): number {
  const start = line.indexOf(text[0] ?? '')
  if (start === -1) return 0 // No test: nothing stands before the line either
  let length = 0
  while (length < text.length && line[start + length] === text[length]) length += 1
  return length
}
