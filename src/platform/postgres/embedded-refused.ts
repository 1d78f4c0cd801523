/** The embedded PostgreSQL can't run; the message says what to do and is meant for the operator. */
export class EmbeddedRefused extends Error {}
