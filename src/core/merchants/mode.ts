/** Decided by the key of a request, stored on everything, never crossed. */
export type Mode = (typeof modes)[number]
export const modes = ['test', 'live'] as const
