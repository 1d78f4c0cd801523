import type { Connector } from '../../networks/hosted.ts'
import type { Accounts } from '../../merchants/accounts/accounts.ts'
import { makeApplyOutcome, type ApplyOutcome, type OutcomeDeps } from './apply-outcome.ts'
import { makeFindHosted, type FindHosted } from './hosted/find-hosted.ts'
import { makeFindDue, type FindDue } from './find-due.ts'
import { makeStartAttempt, type StartAttempt } from './start-attempt.ts'

// Everything paying needs, put together once per process: the batches, and the networks.

export type PayingDeps = OutcomeDeps & {
  readonly connectors: readonly Connector[]
  readonly accounts: Accounts
  /** What the customer reads on a network's own page. */
  readonly merchantName: (merchantId: number) => Promise<string>
  /** The text on the customer's bank statement; undefined: the network's default for the account. */
  readonly statementDescriptor?: (merchantId: number) => Promise<string | undefined>
  /** By an operator: no attempt is started. Those that were go on. */
  readonly isSuspended: (merchantId: number) => Promise<boolean>
}

export type Paying = PayingDeps &
  FindHosted & {
    readonly startAttempt: StartAttempt
    readonly applyOutcome: ApplyOutcome
    readonly findDue: FindDue
  }

export function takesDays(connectors: readonly Connector[], name: string, isTold: boolean): boolean {
  const connector = connectors.find((each) => each.name === name)
  if (connector?.kind !== 'hosted' || connector.takesDays !== true) return false
  return isTold || connector.capture === undefined
}

export function makePaying(deps: PayingDeps): Paying {
  return {
    ...deps,
    ...makeFindHosted(deps.db),
    startAttempt: makeStartAttempt(deps),
    applyOutcome: makeApplyOutcome({
      ...deps,
      takesDays: (name, isTold) => takesDays(deps.connectors, name, isTold),
    }),
    findDue: makeFindDue(deps.db, deps.log),
  }
}
