import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Server } from '../../platform/http/server.ts'
import { withPort, type Config } from '../../platform/settings/config.ts'

/** HOST and PORT can't be listened on. The message is one line for the operator. */
export class PortRefused extends Error {}

/** PORT=0 means any free port. It is chosen before the server listens, because BASE_URL and all links contain it. */
export async function choosePort(config: Config): Promise<Config> {
  if (config.PORT !== 0) return config
  const probe = createServer()
  try {
    probe.listen(0, config.HOST)
    await once(probe, 'listening')
  } catch (error) {
    throw refused(config, error)
  }
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return withPort(config, port)
}

// As many as Linux lets wait to be accepted. With Node's 511 a flood of new connections from one stranger filled the
// queue, and honest ones waited a second for their second try.
const backlog = 4_096

export async function openPort(server: Server, config: Config): Promise<void> {
  const reusePort = config.SHARE_PORT === 'on'
  try {
    await server.listen({ host: config.HOST, port: config.PORT, backlog, ...(reusePort && { reusePort }) })
  } catch (error) {
    throw refused(config, error)
  }
}

/** How many processes of one machine may have the same METRICS_PORT. */
const operatorPortsMax = 32

type OperatorServer = { listen(at: { readonly host: string; readonly port: number }): Promise<unknown> }

/**
 * Never shared: each process reports on itself. If several have the same settings (`mayMove`), the next free port is
 * taken; returns which. A port is tried by listening on it: a port that was checked first and opened later may be taken
 * by then, when several processes start at once.
 */
export async function openOperatorPort(
  server: OperatorServer,
  config: Config,
  mayMove: boolean,
): Promise<number> {
  const { METRICS_HOST: host, METRICS_PORT: first } = config
  const last = mayMove ? Math.min(first + operatorPortsMax - 1, 65_535) : first
  for (let port = first; ; port += 1) {
    try {
      await server.listen({ host, port })
      return port
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || port === last) throw refused({ HOST: host, PORT: port }, error, 'METRICS_')
    }
  }
}

function refused({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>, error: unknown, prefix = ''): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException
  const options = { cause: error }
  const host = `${prefix}HOST`
  const port = `${prefix}PORT`
  if (syscall === 'getaddrinfo')
    return new PortRefused(
      `${host} ${HOST} was not found. Set ${host} to an address of this machine.`,
      options,
    )
  if (syscall !== 'listen') return error
  if (code === 'EADDRNOTAVAIL')
    return new PortRefused(
      `${host} ${HOST} is not an address of this machine. Set it to one that is.`,
      options,
    )
  if (code === 'EADDRINUSE')
    return new PortRefused(
      `Port ${PORT} on ${HOST} is in use. Stop the program using it, or set ${port} to another port.`,
      options,
    )
  return new PortRefused(
    `Port ${PORT} on ${HOST} can't be used (${code}). Change ${host} or ${port}.`,
    options,
  )
}
