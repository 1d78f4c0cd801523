import { integer } from './kinds.ts'

/** How long things are kept, in days: part of `settings` in config.ts. */
export const retentionSettings = {
  KEEP_NOTIFICATION_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning: 'How long bodies and tries of notifications are kept once they have ended. 0: for ever.',
  }),
  KEEP_MAIL_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning: 'How long mail is kept once it was sent, given up or put into the mailbox. 0: for ever.',
  }),
  KEEP_CALLBACK_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning:
      'How long it is kept that a network called about a payment, once that was worked on. 0: for ever.',
  }),
  KEEP_TEST_DAYS: integer({
    default: '180',
    min: 0,
    max: 36_500,
    meaning:
      'How long payments of test mode are kept once they have ended, with all that hangs on them. 0: for ever.',
  }),
  KEEP_PERSONAL_DAYS: integer({
    default: '3650',
    min: 0,
    max: 36_500,
    meaning: 'How long payments say who paid; then names and addresses are erased. 0: for ever.',
  }),
}
