/** Decided by the key of a request, stored on everything, never crossed. */
export type Mode = 'test' | 'live'
