/** A backup or a restore that can't be done; the message says why, and what would help. */
export class BackupRefused extends Error {}
