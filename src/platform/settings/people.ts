import { isLoopbackUrl } from '../outbound/addresses.ts'
import { anything, integer, oneOf, sameFromFile, url } from './kinds.ts'

// Settings of the dashboard's people and their log: part of `settings` in config.ts.

export const peopleSettings = {
  SIGN_UP: oneOf({
    default: 'off',
    allowed: ['on', 'off'],
    meaning:
      'Whether anyone may sign up to the dashboard with their own shop. The first person needs a link: florin sign-in-link.',
  }),
  OIDC_ISSUER: url({
    default: '',
    keepsSlash: true,
    meaning:
      'OpenID provider of your company, for signing in to the dashboard: its issuer, as it writes it. Empty: none.',
    example: 'https://login.example.com/realms/shop',
  }),
  OIDC_CLIENT_ID: anything({
    default: '',
    meaning: "Florin's client ID at the provider. Redirect URI: BASE_URL/dashboard/openid/callback.",
    example: 'florin',
  }),
  OIDC_CLIENT_SECRET: anything({
    default: '',
    meaning: "Florin's client secret at the provider. Empty: a public client.",
    example: '…',
  }),
  OIDC_CLIENT_SECRET_FILE: sameFromFile({ example: '/run/secrets/oidc_client_secret' }),
  OIDC_NAME: anything({
    default: 'your company account',
    meaning: "The provider's name on the button: Sign in with ….",
    example: 'Example GmbH',
  }),
  AUDIT_DAYS: integer({
    default: '730',
    min: 30,
    max: 36_500,
    meaning: 'How long audit log entries are kept, in days.',
  }),
}

type Given = { readonly OIDC_ISSUER: string; readonly OIDC_CLIENT_ID: string }

/** Settings that contradict each other. */
export function openIdMistakes({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id }: Given): string[] {
  if ((issuer === '') !== (id === ''))
    return ['OIDC_ISSUER and OIDC_CLIENT_ID must be set both or not at all']
  if (issuer !== '' && !issuer.startsWith('https:') && !isLoopbackUrl(issuer))
    return [`OIDC_ISSUER must be https, but is "${issuer}"`]
  return []
}
