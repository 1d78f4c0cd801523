import type { PersonEmail } from '../../platform/outbound/person-email.ts'
import type { Role } from './rights.ts'
import type { From } from './sessions/sessions.ts'
import { deviceName } from './sessions/device-name.ts'

// Florin's e-mails to people. Each says what happened, what it means and what to do; none asks for a password.

type To = { readonly email: string; readonly name: string }

export function resetEmail(to: To, url: string, minutes: number, from: From): PersonEmail {
  return {
    ...start(to, 'person.reset_asked', 'Set a new password'),
    paragraphs: [
      `Someone asked for a new password for this address. If it was you, open this link within ${minutes} minutes. It works once.`,
      'If it wasn’t you, ignore this e-mail. Your password stays the same.',
    ],
    rows: asked(from),
    link: { label: 'Set a new password', url },
  }
}

export function passwordChangedEmail(to: To, at: Date, from: From): PersonEmail {
  return {
    ...start(to, 'person.password_changed', 'Your password was changed'),
    paragraphs: [
      'You’re signed out everywhere else.',
      'If it wasn’t you, reset your password on the sign-in page now, and tell your team’s owner.',
    ],
    rows: [...asked(from), ['When', formatTime(at)]],
  }
}

export function newDeviceEmail(to: To, at: Date, from: From): PersonEmail {
  return {
    ...start(to, 'person.new_device', 'You signed in from a new device'),
    paragraphs: [
      'If it was you, you don’t need to do anything.',
      'If it wasn’t you, change your password. That signs out every other session.',
    ],
    rows: [...asked(from), ['When', formatTime(at)]],
  }
}

export function factorEmail(to: To, sentence: string, at: Date, from: From): PersonEmail {
  return {
    ...start(to, 'person.factor_changed', sentence),
    paragraphs: ['If it wasn’t you, change your password and check your account.'],
    rows: [...asked(from), ['When', formatTime(at)]],
  }
}

export function confirmAddressEmail(to: To, url: string, minutes: number): PersonEmail {
  return {
    ...start(to, 'person.email_asked', 'Confirm your new address'),
    paragraphs: [
      `Open this link within ${minutes} minutes to sign in with this address from now on. It works once.`,
      'If you didn’t ask for this, ignore this e-mail.',
    ],
    rows: [['New address', to.email]],
    link: { label: 'Confirm this address', url },
  }
}

export function addressChangedEmail(to: To, email: string, at: Date): PersonEmail {
  return {
    ...start(to, 'person.email_changed', 'Your address was changed'),
    paragraphs: [
      'Sign in with the new address from now on. We won’t e-mail this one again.',
      'If it wasn’t you, tell your team’s owner now.',
    ],
    rows: [
      ['New address', email],
      ['When', formatTime(at)],
    ],
  }
}

export function signUpEmail(email: string, url: string, minutes: number): PersonEmail {
  return {
    ...start({ email, name: '' }, 'person.sign_up_asked', 'Finish signing up'),
    paragraphs: [
      `Open this link within ${minutes} minutes to choose a password and name your shop. It works once.`,
      'If you didn’t ask for this, ignore this e-mail.',
    ],
    rows: [['Address', email]],
    link: { label: 'Finish signing up', url },
  }
}

export function alreadyHereEmail(to: To, signInUrl: string): PersonEmail {
  return {
    ...start(to, 'person.sign_up_asked', 'You already have an account'),
    paragraphs: [
      'Someone tried to sign up with this address, but it already has an account. Sign in instead. You can reset your password there too.',
    ],
    rows: [['Address', to.email]],
    link: { label: 'Sign in', url: signInUrl },
  }
}

export function deletedEmail(to: To, at: Date, from: From): PersonEmail {
  return {
    ...start(to, 'person.deleted', 'Your account was deleted'),
    paragraphs: [
      'You can no longer sign in. Your teams’ audit logs keep a record of what you did.',
      'If it wasn’t you, tell your team’s owner now. This can’t be undone, but they can invite you again.',
    ],
    rows: [...asked(from), ['When', formatTime(at)]],
  }
}

type Invitation = {
  readonly merchant: string
  readonly inviter: string
  readonly role: Role
  readonly days: number
}

export function invitationEmail(email: string, url: string, invitation: Invitation): PersonEmail {
  const { merchant, inviter, role, days } = invitation
  return {
    ...start({ email, name: '' }, 'team.invited', `Join ${merchant}`),
    paragraphs: [
      `${inviter} invited you to join ${merchant}. Open this link within ${days} days. It works once.`,
      'If you don’t know them, ignore this e-mail.',
    ],
    rows: [
      ['Team', merchant],
      ['Role', role],
      ['Address', email],
    ],
    link: { label: `Join ${merchant}`, url },
  }
}

function start(to: To, event: string, heading: string) {
  return { to: to.email, event, subject: heading, heading, isGood: true, name: to.name }
}

function asked(from: From): [string, string][] {
  return [
    ['Device', deviceName(from.device)],
    ['Address', from.address],
  ]
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export function formatTime(at: Date): string {
  return `${day.format(at)}, ${time.format(at)} UTC`
}
