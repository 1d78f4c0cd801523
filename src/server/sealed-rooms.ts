import {
  installationCredentialRows,
  merchantCredentialRows,
} from '../merchants/accounts/sealed-credentials.ts'
import { formSecretRows } from '../merchants/form-secret.ts'
import { installationSecretRows } from '../secrets/installation-secrets.ts'
import type { SealedRows } from '../secrets/reseal.ts'
import { endpointSecretRows } from '../notifications/endpoints/endpoint-secrets.ts'
import { webhookSecretRows } from '../notifications/ipn/stored-secret.ts'
import { totpRows } from '../people/factors/second-factor.ts'

/** Everything in the database that is sealed, for the commands that seal it anew. A room with sealed rows adds a line. */
export const sealedRooms: readonly SealedRows<unknown>[] = [
  installationSecretRows,
  webhookSecretRows,
  endpointSecretRows,
  merchantCredentialRows,
  installationCredentialRows,
  formSecretRows,
  totpRows,
]
