import { brokenRule } from '../../platform/errors/refusals.ts'
import { passwordMistake } from './passwords/check-password.ts'
import type { PasswordRule } from './passwords/rules.ts'

// People's own details, checked.

const nameMax = 100

export function readEmail(text: string | undefined): string {
  const email = (text ?? '').trim()
  if (email === '') throw brokenRule('email', 'Enter your e-mail address')
  if (email.length > 254 || !/^[^\s@<>,;"\p{Cc}]+@[^\s@<>,;"\p{Cc}]+$/u.test(email))
    throw brokenRule('email', 'Enter an e-mail address such as ada@example.com')
  return email
}

export function readName(text: string | undefined, field = 'name', wanted = 'your name'): string {
  const name = (text ?? '').trim()
  if (name === '') throw brokenRule(field, `Enter ${wanted}`)
  if ([...name].length > nameMax) throw brokenRule(field, `Use at most ${nameMax} characters`)
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) throw brokenRule(field, 'Use letters and digits')
  return name
}

/** `about`: what others know of the person. */
export function readNewPassword(
  text: string | undefined,
  about: readonly string[],
  rule: PasswordRule,
): string {
  const password = text ?? ''
  const mistake = passwordMistake(password, about, rule)
  if (mistake !== undefined) throw brokenRule('password', mistake)
  return password
}
