import { integer } from './kinds.ts'

/** How long things are kept, in days: part of `settings` in config.ts. */
export const retentionSettings = {
  KEEP_NOTIFICATION_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning: 'How long bodies and attempts of finished notifications are kept. 0: forever.',
  }),
  KEEP_MAIL_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning: 'How long mail is kept after it was sent, given up or put into the mailbox. 0: forever.',
  }),
  KEEP_CALLBACK_DAYS: integer({
    default: '90',
    min: 0,
    max: 36_500,
    meaning: 'How long processed callbacks from networks are kept. 0: forever.',
  }),
  KEEP_TEST_DAYS: integer({
    default: '180',
    min: 0,
    max: 36_500,
    meaning: 'How long finished test payments are kept, with everything that belongs to them. 0: forever.',
  }),
  KEEP_PERSONAL_DAYS: integer({
    default: '3650',
    min: 0,
    max: 36_500,
    meaning: "How long payments keep the customer's name and address. 0: forever.",
  }),
}
