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
  merchant_created: 'The merchant is here, and its owner is invited.',
  merchant_suspended: 'The merchant is suspended. Its keys are refused from now on.',
  merchant_resumed: 'The merchant can take payments again.',
  live_on: 'Live payments are switched on.',
  live_off: 'Live payments are switched off. Links that are open can still be paid.',
  fee_plan_changed: 'The fee plan is changed. It holds for payments from now on.',
  payment_cancelled: 'The payment is cancelled. Its link no longer works.',
  refund_done: 'The money is on its way back to the customer.',
  refund_asked: 'The refund is asked for. The timeline says when the network has decided.',
  refund_failed: 'The refund failed, and the money is still yours. The timeline says why.',
  notification_resent: 'It is sent again now.',
  note_added: 'Your note is added.',
  note_deleted: 'Your note is deleted.',
  key_revoked: 'The key is revoked. It is refused everywhere from now on.',
  webhook_secret_rolled: 'There is a new webhook secret. Show it, and put it into your receiver.',
  project_created: 'The project is there. Payments name it, and are added up here.',
  project_renamed: 'The project is renamed. Its payments show the new name.',
  project_deleted: 'The project is deleted. Its payments stay, with its name.',
  link_created: 'The link is ready.',
  link_changed: 'The link is changed.',
  link_paused: 'The link is paused. Nobody can start a payment with it; those under way go on.',
  link_resumed: 'The link is open again.',
  test_payment_created: 'The test payment is there.',
} as const

export type NoticeName = keyof typeof notices

export function readNotice(text: string | undefined): NoticeName | undefined {
  return text !== undefined && Object.hasOwn(notices, text) ? (text as NoticeName) : undefined
}
