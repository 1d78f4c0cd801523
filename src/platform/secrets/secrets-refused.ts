/** The key of the secrets is missing or wrong. The message is one line for the operator. */
export class SecretsRefused extends Error {}
