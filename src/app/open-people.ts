import { makeOpenIdProvider, type OpenIdProvider } from '../dashboard/people/openid/provider.ts'
import { makePeople, type People, type PeopleOptions } from '../dashboard/people/people.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { Config } from '../platform/settings/config.ts'

type PeopleParts = Omit<PeopleOptions, 'baseUrl' | 'isSignUpOpen' | 'openId' | 'derive'>

export function openPeople(
  config: Config,
  outbound: Outbound,
  { derive }: Pick<PeopleOptions, 'derive'>,
  { db, secrets, log, now, sendEmail }: PeopleParts,
): People {
  return makePeople({
    db,
    secrets,
    log,
    now,
    sendEmail,
    derive,
    openId: openProvider(config, outbound, now),
    baseUrl: config.BASE_URL.replace(/\/+$/, ''),
    isSignUpOpen: config.SIGN_UP === 'on',
  })
}

function openProvider(config: Config, outbound: Outbound, now: () => Date): OpenIdProvider | undefined {
  if (config.OIDC_ISSUER === '') return undefined
  return makeOpenIdProvider({
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    name: config.OIDC_NAME,
    redirectUri: `${config.BASE_URL.replace(/\/+$/, '')}/dashboard/openid/callback`,
    outbound,
    now,
  })
}
