// npm, a shell or a supervisor tells the process it started to stop. Whoever has started another one itself has to pass
// that on: else it would go on alone, and hold its port and its files.

/** @typedef {'SIGINT' | 'SIGTERM' | 'SIGHUP'} StopSignal */

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * @param {(signal: StopSignal) => void} told called with each such signal, which does nothing else from now on
 * @returns {() => void} lets the signals do again what they always do
 */
export function onStopSignal(told) {
  for (const signal of SIGNALS) process.on(signal, told)
  return () => {
    for (const signal of SIGNALS) process.off(signal, told)
  }
}
