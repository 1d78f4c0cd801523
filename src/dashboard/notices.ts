// What a page says about what was done on the page before. A closed list: the cookie that carries it holds a name, so
// nobody else can put words on our pages.

export const notices = {
  signed_out: 'You are signed out.',
  password_reset: 'Your new password is set. Sign in with it.',
  password_changed: 'Your password is changed. Every other session has ended.',
  password_removed: 'Your password is gone. Sign in with a passkey from now on.',
  name_changed: 'Your name is changed.',
  email_asked: 'We wrote to the new address. Open the link in that letter, and the change is done.',
  email_changed: 'Your address is changed.',
  codes_off: 'Codes of an app are no longer asked for.',
  passkey_added: 'Your passkey is added.',
  passkey_removed: 'The passkey is removed.',
  openid_linked: 'Your company account is connected. You can sign in with it.',
  openid_unlinked: 'Your company account is disconnected.',
  account_deleted: 'Your account is deleted. Goodbye.',
  session_ended: 'The session has ended.',
  sessions_ended: 'Every other session has ended.',
  invited: 'The invitation is on its way.',
  invitation_withdrawn: 'The invitation is withdrawn. Its link no longer works.',
  role_changed: 'The role is changed. This person has to sign in again.',
  member_removed: 'This person no longer belongs to the team.',
  left: 'You have left the team.',
  joined: 'Welcome to the team.',
  proved: 'Thank you. Go on where you were.',
  receiver_paused: 'The receiver is paused. What is due to it waits until you resume it.',
  receiver_resumed: 'The receiver is resumed. What waited is on its way.',
  notifications_resent: 'They are on their way again.',
  notification_resent: 'It is on its way again.',
  test_received: 'The test was received.',
  test_not_received: 'The test was not received. The answer stands below.',
  mail_resent: 'The mail is on its way again.',
} as const

export type NoticeName = keyof typeof notices

export function readNotice(text: string | undefined): NoticeName | undefined {
  return text !== undefined && Object.hasOwn(notices, text) ? (text as NoticeName) : undefined
}
