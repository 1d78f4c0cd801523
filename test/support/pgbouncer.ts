import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

// PgBouncer before the test run's PostgreSQL, where it is installed (Debian: apt-get install pgbouncer).

export type PgBouncer = { url(databaseUrl: string): string; stop(): Promise<void> }

const programs = ['pgbouncer', '/usr/sbin/pgbouncer']

export function findPgBouncer(): string | undefined {
  return programs.find((program) => spawnSync(program, ['--version']).status === 0)
}

export async function startPgBouncer(
  program: string,
  databaseUrl: string,
  poolMode: 'transaction' | 'session',
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, port: serverPort, username, password, searchParams } = new URL(databaseUrl)
  const ini = join(folder, 'pgbouncer.ini')
  const host = searchParams.get('host') ?? hostname
  const known = `host=${host} port=${serverPort} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`
  writeFileSync(
    ini,
    `[databases]\n* = ${known}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = any\npool_mode = ${poolMode}\ndefault_pool_size = 5\nmax_client_conn = 200\n`,
    { mode: 0o644 },
  )
  // It refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...asOther, ini], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await waitUntil('PgBouncer listens', async () => answers(port))
  return {
    url(direct) {
      const { pathname } = new URL(direct)
      return `postgres://florin:any@127.0.0.1:${port}${pathname}`
    },
    async stop() {
      child.kill('SIGINT')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
