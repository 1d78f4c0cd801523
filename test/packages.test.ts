import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { validate } from 'dockerfile-utils'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../src/platform/settings/config.ts'

// What Florin is packed in: the image, compose, systemd and Kubernetes. No daemon is asked; what can be read is.

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type Container = {
  readonly args: string[]
  readonly image: string
  readonly envFrom: unknown
  readonly securityContext: Record<string, unknown>
  readonly resources?: { limits?: { memory?: string } }
  readonly readinessProbe?: unknown
}
type Workload = {
  readonly kind: string
  readonly metadata: { name: string }
  readonly data?: Record<string, string>
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly securityContext: Record<string, unknown>
        readonly containers: Container[]
        readonly initContainers?: Container[]
      }
    }
  }
}

test('the Dockerfile is valid, runs as an unprivileged user and has a health check', () => {
  const text = read('Dockerfile')
  assert.deepEqual(validate(text), [])
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => line.startsWith('FROM '))
  const final = lines.slice(last).join('\n')
  assert.match(final, /^USER node$/m)
  assert.match(final, /^HEALTHCHECK /m)
  assert.match(final, /^ENTRYPOINT \["node", "\/app\/src\/florin\.ts"\]$/m)
  assert.match(text, /npm ci --omit=dev .*--ignore-scripts/)
  assert.doesNotMatch(text, /:latest|ADD |curl|apt-get/)
})

test('an image holds what the program reads, and no tests', () => {
  const kept = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  assert.deepEqual(
    copied.filter((name) => !kept.includes(name)),
    [],
    'copied, but kept from the build',
  )
  for (const name of kept) assert.ok(existsSync(join(root, name)), name)
})

test('the program runs from those folders alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-image-'))
  try {
    for (const name of ['package.json', 'src', 'LICENSE', 'NOTICE'])
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('.test.ts'),
      })
    cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      filter: isProduction(),
    })
    const program = join(folder, 'src', 'florin.ts')
    const options = { cwd: folder, env: {}, encoding: 'utf8' as const }
    assert.match(execFileSync(process.execPath, [program, '--version'], options), /^florin \d/)
    const { status, stderr } = spawnSync(process.execPath, [program, 'serve'], options)
    assert.equal(status, 69)
    assert.match(stderr, /Set DATABASE_URL to your own PostgreSQL/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** What `npm ci --omit=dev --omit=optional` brings. */
function isProduction(): (path: string) => boolean {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const left = Object.entries(packages)
    .filter(([, { dev, optional, devOptional }]) => dev === true || optional === true || devOptional === true)
    .map(([path]) => join(root, path))
  const apart = [...left, join(root, 'node_modules/.cache'), join(root, 'node_modules/.bin')]
  return (path) => !apart.includes(path)
}

test('compose starts the program with existing settings, read from files where they are secret', () => {
  const { services, secrets } = parse(read('ops/compose.yaml'), { merge: true }) as {
    services: Record<
      string,
      { environment?: Record<string, string>; command?: string[]; read_only?: boolean }
    >
    secrets: Record<string, unknown>
  }
  for (const name of ['migrate', 'server', 'worker']) {
    const service = services[name]
    assert.equal(service?.read_only, true, name)
    checkSettings(service?.environment ?? {})
    assert.match(service?.environment?.['DATABASE_URL_FILE'] ?? '', /^\/run\/secrets\//)
  }
  assert.deepEqual(Object.keys(secrets).toSorted(), ['database_url', 'postgres_password', 'secrets_key'])
})

test('every command and health check in compose is a list of strings, and scripts in them are JavaScript', () => {
  const { services } = parse(read('ops/compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: unknown[]; healthcheck?: { test: unknown[] } }>
  }
  const lists = Object.values(services).flatMap(({ command, healthcheck }) => [command, healthcheck?.test])
  assert.ok(lists.filter(Boolean).length >= 5)
  for (const list of lists)
    for (const [index, word] of (list ?? []).entries()) {
      // A colon and a space outside quotation marks make a mapping of it, which compose refuses.
      assert.equal(typeof word, 'string', JSON.stringify(word))
      if (list?.[index - 1] === '-e') assert.ok(new Script(String(word)))
    }
})

test('on Kubernetes every container is locked down, limited and health-checked', () => {
  const documents = parseAllDocuments(read('ops/kubernetes/florin.yaml'))
  assert.deepEqual(
    documents.flatMap(({ errors }) => errors),
    [],
  )
  const all = documents.map((document) => document.toJS() as Workload)
  checkSettings(all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {})
  const workloads = all.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(
    workloads.map(({ metadata }) => metadata.name),
    ['florin-server', 'florin-worker'],
  )
  for (const { spec } of workloads) {
    const { containers, initContainers = [], securityContext } = spec.template.spec
    assert.equal(securityContext['runAsNonRoot'], true)
    for (const one of [...containers, ...initContainers]) {
      assert.equal(one.securityContext['readOnlyRootFilesystem'], true)
      assert.equal(one.securityContext['allowPrivilegeEscalation'], false)
      assert.doesNotMatch(one.image, /:latest$/)
    }
    for (const one of containers) assert.ok(one.readinessProbe && one.resources?.limits?.memory)
  }
})

function checkSettings(given: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given)) {
    const setting = (settings as Record<string, { parse(text: string): unknown }>)[name]
    assert.ok(setting, `${name} is no setting`)
    setting.parse(value)
  }
}

test('systemd units start existing commands, stop gracefully and can’t write anywhere', (t) => {
  const folder = join(root, 'ops/systemd')
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    assert.match(text, /^ExecStart=\/opt\/florin\/bin\/florin (serve --no-worker|worker)$/m, file)
    assert.match(text, /^ProtectSystem=strict$/m, file)
    assert.match(text, /^User=florin$/m, file)
    assert.match(text, /^TimeoutStopSec=20$/m, file)
    assert.match(text, /^UMask=0077$/m, file)
    assert.match(text, /^SystemCallFilter=@system-service$/m, file)
    // Node compiles code while it runs.
    assert.doesNotMatch(text, /^MemoryDenyWriteExecute=/m, file)
  }
  const verified = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...readdirSync(folder).map((file) => join(folder, file))],
    {
      encoding: 'utf8',
    },
  )
  if (verified.error)
    return t.diagnostic('systemd-analyze is not on this machine: the units were not verified')
  // It looks for the program and the user too, which are not here.
  const complaints = verified.stderr
    .split('\n')
    .filter((line) => /Unknown|Invalid|Failed to parse|Missing '='/.test(line))
  assert.deepEqual(complaints, [])
})

test('systemd rates the units’ exposure below 3', (t) => {
  const folder = join(root, 'ops/systemd')
  for (const file of readdirSync(folder)) {
    const { error, stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', join(folder, file)],
      { encoding: 'utf8' },
    )
    const [, rated] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout ?? '') ?? []
    if (error || rated === undefined)
      return t.diagnostic('systemd-analyze 250 or later is not on this machine: the units were not rated')
    assert.ok(Number(rated) < 3, `${file}: ${rated}`)
  }
})
