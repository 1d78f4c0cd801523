import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { readInvocation, runCommand } from './app/commands/run-command.ts'
import { launcherDescriptor } from './platform/settings/config.ts'

// The command line as a process. bin/florin installs what is missing and runs this file.

resolveOurImports()
const invocation = readInvocation(process.argv.slice(2))
watchLauncher()
dropDriverAdvice()
endWithReader(invocation.name)
await runCommand(invocation)

/**
 * Our imports name whole files. Looking for each on the disk, for links in its path and for the package it belongs to
 * took a quarter of a start. What a command loads comes after this line.
 */
function resolveOurImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context)
      const { href } = new URL(specifier, context.parentURL)
      return { url: href, format: 'module-typescript', shortCircuit: true }
    },
  })
}

/** `florin key list | head -1`: the reader has seen enough. A server continues, whether or not its output is read. */
function endWithReader(command: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (command !== 'serve' && command !== 'worker') process.exit()
  })
}

/** Eight lines of pg at every start with sslmode=require, about what a later pg would do. Ours is pinned. */
function dropDriverAdvice(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (!warning.message.startsWith('SECURITY WARNING: The SSL modes'))
      for (const tell of listeners) tell(warning)
  })
}

/** bin/florin holds the other end; when it is killed, the server must not stay behind alone. */
function watchLauncher(): void {
  const descriptor = launcherDescriptor()
  if (descriptor === undefined) return
  const launcher = new Socket({ fd: descriptor })
  // A command that handles no signal would continue: emit() says whether anything listened.
  launcher.on('close', () => process.emit('SIGTERM') || process.exit(143))
  launcher.on('error', () => launcher.destroy())
  launcher.resume()
  launcher.unref()
}
