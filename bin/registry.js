// npm waits for a registry that it can't reach for minutes, and says nothing meanwhile. Runs before anything is
// installed, on any Node from 20 on: nothing here may need node_modules.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as requestSafely } from 'node:https'
import { homedir } from 'node:os'
import { join } from 'node:path'

const LIMIT_MS = 5_000
const PROXIES = ['https_proxy', 'http_proxy', 'npm_config_https_proxy', 'npm_config_proxy']

/**
 * Where npm fetches from, as far as can be said without starting it.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export function registryOf(root, env = process.env) {
  const named =
    env['npm_config_registry'] ??
    readRegistry(join(root, '.npmrc')) ??
    readRegistry(join(homedir(), '.npmrc'))
  return named ?? 'https://registry.npmjs.org/'
}

/** @param {string} file */
function readRegistry(file) {
  try {
    return /^\s*registry\s*=\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/**
 * Why it can't be reached; undefined when it answers, whatever it says. Where a proxy is set only npm can tell.
 * @param {string} registry
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
export async function whyUnreachable(registry, env = process.env) {
  const hasProxy = Object.keys(env).some((name) => PROXIES.includes(name.toLowerCase()))
  if (hasProxy || !URL.canParse(registry)) return undefined
  return new Promise((resolve) => {
    const ask = registry.startsWith('http:') ? request : requestSafely
    const asked = ask(registry, { method: 'HEAD', timeout: LIMIT_MS }, (answer) => {
      answer.destroy()
      resolve(undefined)
    })
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${LIMIT_MS / 1000} s`)))
    asked.on('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      // A certificate of a company's own is npm's to judge, which may know it.
      resolve(/CERT|SSL|TLS/.test(code ?? '') ? undefined : (code ?? error.message))
    })
    asked.on('socket', (socket) => socket.unref())
    asked.end()
  })
}
