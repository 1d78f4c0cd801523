import { Refusal } from '../errors/refusals.ts'

export type FindProjectId = (merchantId: number, idOrName: string) => Promise<string | undefined>

/** Resolves the project of a new payment; refuses one that the merchant does not have. */
export async function projectIdOf(
  findProjectId: FindProjectId,
  merchantId: number,
  project: string | null,
): Promise<string | null> {
  if (project === null) return null
  const id = await findProjectId(merchantId, project)
  if (id !== undefined) return id
  const rule = 'project must be one of your projects'
  throw new Refusal('validation_failed', rule, { errors: { project: [rule] } })
}
