// Why a try was not taken, for people: in a few words, and what it usually means.

export type FailureText = { readonly what: string; readonly means: string | undefined }

const errors: Readonly<Record<string, FailureText>> = {
  timeout: {
    what: 'No answer in time',
    means: 'Answer with 200 first, and do the work afterwards: a try lasts 15 seconds.',
  },
  connection_failed: {
    what: 'No connection',
    means: 'Nothing listens there, or a firewall is in between.',
  },
  connection_reset: {
    what: 'The connection broke',
    means: 'The server, or a proxy before it, closed it without an answer.',
  },
  dns_failed: { what: 'The name is not found', means: 'Look at the DNS record of this host.' },
  tls_failed: {
    what: 'The certificate is not valid',
    means: 'It is out of date, for another name, or its chain is not complete.',
  },
  not_http: { what: 'The answer is not HTTP', means: 'Look at the port, and at http or https.' },
  address_refused: {
    what: 'The address is private',
    means: 'Notifications go to public addresses only. In test mode listen with: florin listen',
  },
  endpoint_deleted: { what: 'The endpoint was deleted', means: undefined },
  bad_url: { what: 'The URL can not be called', means: 'Look at the callback_url of the payment.' },
}

export function sayTry({ status, error }: { status: number | null; error: string | null }): FailureText {
  if (status !== null) return { what: `Answered ${status}`, means: meaningOf(status) }
  if (error === null) return { what: 'Not tried yet', means: undefined }
  return errors[error] ?? { what: error.replaceAll('_', ' '), means: undefined }
}

function meaningOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: name the last address as callback_url.'
  if (status === 401 || status === 403)
    return 'Something before your program asks for a password, or refuses strangers.'
  if (status === 404) return 'There is no such page: look at the path of the callback_url.'
  if (status === 405) return 'The page takes no POST.'
  if (status === 410) return 'The receiver wants no more of this one: it is not tried again.'
  if (status === 429) return 'The receiver asks for time.'
  if (status >= 500) return 'Your program failed: its own log says why.'
  return 'Only an answer from 200 to 299 counts as received.'
}
