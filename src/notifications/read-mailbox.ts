// What the dashboard shows of mail that stayed here, newest first.
export { findMail, listMails, type MailboxRow } from './mailbox-store.ts'
