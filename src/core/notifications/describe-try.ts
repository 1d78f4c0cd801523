// Why a try was not taken, for people: in a few words, and what it usually means.

export type FailureText = { readonly what: string; readonly means: string | undefined }

const errors: Readonly<Record<string, FailureText>> = {
  timeout: {
    what: 'No answer in time',
    means: 'Answer with 200 first and do the work afterwards: the timeout is 15 seconds.',
  },
  connection_failed: {
    what: 'No connection',
    means: 'No program listens there, or a firewall blocks it.',
  },
  connection_reset: {
    what: 'The connection broke',
    means: 'The server, or a proxy in front of it, closed the connection without an answer.',
  },
  dns_failed: { what: 'Host name not found', means: 'Check the DNS record of this host.' },
  tls_failed: {
    what: 'The certificate is not valid',
    means: 'It has expired, is for another name, or its chain is incomplete.',
  },
  not_http: { what: 'The answer is not HTTP', means: 'Check the port, and http or https.' },
  address_refused: {
    what: 'The address is private',
    means: 'Notifications go to public addresses only. In test mode listen with: florin listen',
  },
  endpoint_deleted: { what: 'The endpoint was deleted', means: undefined },
  bad_url: { what: 'The URL can’t be called', means: 'Check the payment’s callback_url.' },
}

export function describeTry({ status, error }: { status: number | null; error: string | null }): FailureText {
  if (status !== null) return { what: `Answered ${status}`, means: meaningOf(status) }
  if (error === null) return { what: 'Not tried yet', means: undefined }
  return errors[error] ?? { what: error.replaceAll('_', ' '), means: undefined }
}

function meaningOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return 'Florin doesn’t follow redirects: use the final URL as callback_url.'
  if (status === 401 || status === 403)
    return 'Something in front of your program asks for a password or blocks the request.'
  if (status === 404) return 'This page doesn’t exist: check the path of the callback_url.'
  if (status === 405) return 'This page doesn’t accept POST.'
  if (status === 410) return 'The receiver refused this notification: Florin won’t retry.'
  if (status === 429) return 'The receiver asks Florin to slow down.'
  if (status >= 500) return 'Your program failed: check its log.'
  return 'Only an answer from 200 to 299 counts as received.'
}
