import { installationCredentialRows, merchantCredentialRows } from './accounts/sealed-credentials.ts'
import { formSecretRows } from './form-secret.ts'

// A `RoomData`, whose type is on a floor above this module.
export const merchantData = { sealed: [merchantCredentialRows, installationCredentialRows, formSecretRows] }
