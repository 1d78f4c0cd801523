import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run publish-client -- client-node-v0.1.0` publishes a client as it was at its tag; without --for-real it only tries. The npm package goes
// to the registry of your npm. Packagist reads a repository whose root is the package, so clients/php is pushed to one: give it with --to.

const root = fileURLToPath(new URL('../', import.meta.url))

const clients = {
  node: { folder: 'clients/node', manifest: 'package.json' },
  php: { folder: 'clients/php', manifest: 'composer.json' },
} as const
type Client = keyof typeof clients

const [tag = '', ...options] = process.argv.slice(2)
const isForReal = options.includes('--for-real')
const target = options[options.indexOf('--to') + 1]
try {
  const { client, version } = readTag(tag)
  checkRelease(client, version)
  if (client === 'node') publishToNpm()
  else pushForPackagist(version)
  process.stdout.write(`${isForReal ? `${tag} is published` : `${tag} can be published: add --for-real`}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function readTag(text: string): { client: Client; version: string } {
  const [, client, version] = /^client-(node|php)-v(\d+\.\d+\.\d+)$/.exec(text) ?? []
  if (client === undefined || version === undefined)
    throw new Error('Give a tag such as client-node-v0.1.0 or client-php-v0.1.0')
  return { client: client as Client, version }
}

/** The tag, the manifest and the changelog must speak of the same version. */
function checkRelease(client: Client, version: string): void {
  const { folder, manifest } = clients[client]
  const at = (file: string): string => run('git', ['show', `${tag}:${folder}/${file}`])
  const own = (JSON.parse(at(manifest)) as { version: string }).version
  if (own !== version) throw new Error(`${folder}/${manifest} has version ${own} at ${tag}`)
  if (!at('CHANGELOG.md').includes(`\n## ${version}\n`))
    throw new Error(`${folder}/CHANGELOG.md has no heading ${version} at ${tag}`)
}

function publishToNpm(): void {
  const folder = mkdtempSync(join(tmpdir(), 'florin-publish-'))
  const tree = join(folder, 'tree')
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', tree, tag])
    // The compiler that `npm publish` builds with.
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
    const access = ['--access', 'public']
    run(
      'npm',
      ['publish', ...access, ...(isForReal ? [] : ['--dry-run'])],
      join(tree, 'clients/node'),
      'inherit',
    )
  } finally {
    rmSync(join(tree, 'node_modules'), { force: true })
    run('git', ['worktree', 'remove', '--force', tree])
    rmSync(folder, { recursive: true, force: true })
  }
}

function pushForPackagist(version: string): void {
  const to = options.includes('--to') && target !== undefined ? target : undefined
  if (to === undefined && isForReal) throw new Error('Give the repository that Packagist reads: --to URL')
  const before = to === undefined ? '' : run('git', ['ls-remote', to, 'refs/heads/main']).split('\t')[0]
  if (before) run('git', ['fetch', '--quiet', to ?? '', 'refs/heads/main'])
  const tree = run('git', ['rev-parse', `${tag}:clients/php`])
  const parent = before ? ['-p', before] : []
  const commit = run('git', ['commit-tree', ...parent, '-m', `Release ${version}`, tree])
  process.stdout.write(`${run('git', ['ls-tree', '-r', '--name-only', commit])}\n`)
  if (to === undefined) return
  const refs = [`${commit}:refs/heads/main`, `${commit}:refs/tags/v${version}`]
  run('git', ['push', ...(isForReal ? [] : ['--dry-run']), to, ...refs], root, 'inherit')
}

function run(
  program: string,
  args: readonly string[],
  cwd = root,
  stdio: 'pipe' | 'inherit' = 'pipe',
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, stdio, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed\n${stderr ?? ''}`)
  return (stdout ?? '').trim()
}
