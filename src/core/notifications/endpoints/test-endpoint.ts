import type { Actor } from '../../audit/audit.ts'
import type { IpnSender } from '../ipn/send-ipn.ts'
import { sendTestNotification } from '../ipn/send-test.ts'
import { calledEndpoint } from './change-endpoints.ts'
import { validEndpointSecrets } from './endpoint-secrets.ts'
import type { NamedEndpoint } from './find-endpoints.ts'

export type TestResult = {
  readonly id: string
  readonly delivered: boolean
  readonly http_status: number | null
  readonly error: string | null
  readonly ms: number
  readonly answer: string | null
}

/** A sample, signed with the secrets of the endpoint and sent while one waits; also to one that is paused. */
export async function testEndpoint(
  sender: IpnSender,
  of: NamedEndpoint,
  sample: { readonly event: string; readonly transactionJson: string; readonly by?: Actor },
): Promise<TestResult> {
  const { url } = await calledEndpoint(sender.db, of)
  const secrets = (await validEndpointSecrets(sender.db, of, sender.now())).map(({ stored }) => stored)
  const { id, verdict, status, error, ms, answer } = await sendTestNotification(sender, {
    ...sample,
    merchantId: of.merchantId,
    mode: of.mode,
    target: url,
    endpointId: of.id,
    secrets,
  })
  return { id, delivered: verdict === 'delivered', http_status: status, error, ms, answer }
}
