// Loaded by NODE_OPTIONS into every process of a test: the bug is in the module that is loaded, never in the file.
import { registerHooks } from 'node:module'

const { path, from, to, replacement } = JSON.parse(process.env['FLORIN_MUTANT'] ?? '{}')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!loaded.source || !url.endsWith(`/${path}`)) return loaded
    const text = Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString('utf8')
    return { ...loaded, source: text.slice(0, from) + replacement + text.slice(to) }
  },
})
