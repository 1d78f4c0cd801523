import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cert, key } from './certificate.ts'
import { freePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

// ops/nginx/florin.conf on this machine, where nginx is installed (Debian: apt-get install nginx-light).

export const nginxFile = readFileSync(
  fileURLToPath(new URL('../../ops/nginx/florin.conf', import.meta.url)),
  'utf8',
)

const programs = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx']

export function findNginx(): string | undefined {
  return programs.find((program) => spawnSync(program, ['-v']).status === 0)
}

export type Nginx = { readonly port: number; stop(): Promise<void> }

/** `servers`: the ports of two servers, on this machine. */
export async function startNginx(program: string, servers: readonly [number, number]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-nginx-'))
  const [plain, port] = [await freePort(), await freePort()]
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
  const here = nginxFile
    .replaceAll('/etc/ssl/pay.example.com', folder)
    .replace('127.0.0.1:3000', `127.0.0.1:${servers[0]}`)
    .replace('# server 127.0.0.1:3001', `server 127.0.0.1:${servers[1]}`)
    // Ports that need no rights, on one family: not every machine has both.
    .replaceAll(/^ +listen \[::\].*$/gm, '')
    .replaceAll(/listen (80|443)/g, (_, given: string) => `listen 127.0.0.1:${given === '80' ? plain : port}`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\n` +
      `http { access_log off; ${temporary(folder)}\n${here} }`,
  )
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  const ended = once(child, 'exit')
  await waitUntil('nginx listens', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    return readOr(join(folder, 'pid')) !== ''
  })
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Folders that nginx would otherwise make where only root may. */
function temporary(folder: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
}
