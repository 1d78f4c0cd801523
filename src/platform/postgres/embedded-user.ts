import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedRefused } from './embedded-refused.ts'

// PostgreSQL refuses to run as root, yet root is who starts things in containers and in CI. Two ways around:
// a user namespace, in which root is seen as another user (nothing changes hands and folders closed to others stay
// usable, but Docker forbids it by default), or a user that exists (who must be able to reach the clone).

export type RunAs = {
  readonly prefix: readonly string[]
  readonly uid?: number
  readonly gid?: number
}

type Identity = { readonly uid: number; readonly gid: number }

const asOurselves: RunAs = { prefix: [] }
// initdb looks its user up by number; 1 is in the password file of every common Linux (daemon or bin).
const inNamespace: RunAs = { prefix: ['unshare', '--user', '--map-user=1', '--map-group=1', '--'] }
const root: Identity = { uid: 0, gid: 0 }

/** Finds who can run PostgreSQL on this folder, and gives that user the folder. */
export function chooseUser(postgres: string, dataDir: string, cluster: string): RunAs {
  if (process.getuid?.() !== 0) {
    refuseStrangersFolder(cluster)
    return asOurselves
  }
  for (const candidate of candidates(dataDir)) {
    if (!canRun(candidate, postgres, dirname(dataDir))) continue
    giveFolder(candidate.uid === undefined ? root : (candidate as Identity), dataDir, cluster)
    return candidate
  }
  throw new EmbeddedRefused(
    `PostgreSQL does not run as root, and no other user can reach both ${postgres} and ${dataDir}. ` +
      `Start Florin as another user, set DATA_DIR to a folder that the user postgres or nobody can reach, or set DATABASE_URL.`,
  )
}

function* candidates(dataDir: string): Generator<RunAs> {
  const owner = ownerOf(dataDir)
  if (owner.uid !== 0) yield { prefix: [], ...owner }
  if (process.platform === 'linux') yield inNamespace
  const parentOwner = ownerOf(dirname(dataDir))
  if (parentOwner.uid !== 0) yield { prefix: [], ...parentOwner }
  for (const name of ['postgres', 'nobody']) {
    const user = lookUp(name)
    if (user) yield { prefix: [], ...user }
  }
}

function ownerOf(path: string): Identity {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

function lookUp(name: string): Identity | undefined {
  const ask = (flag: string): number => {
    const answer = execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number(answer) >>> 0 // macOS writes nobody as -2
  }
  try {
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}

function canRun(candidate: RunAs, postgres: string, parent: string): boolean {
  const script = 'id -un && "$1" --version && cd "$2"'
  const [command, ...args] = [...candidate.prefix, 'sh', '-c', script, 'sh', postgres, parent]
  return spawnSync(command, args, { ...identity(candidate), cwd: '/', stdio: 'ignore' }).status === 0
}

export function identity({ uid, gid }: RunAs): Partial<Identity> {
  return uid === undefined || gid === undefined ? {} : { uid, gid }
}

function giveFolder({ uid, gid }: Identity, dataDir: string, cluster: string): void {
  if (ownerOf(dataDir).uid !== uid) chownSync(dataDir, uid, gid)
  if (existsSync(cluster) && ownerOf(cluster).uid !== uid) {
    execFileSync('chown', ['-R', `${uid}:${gid}`, cluster])
  }
}

function refuseStrangersFolder(cluster: string): void {
  if (!existsSync(cluster)) return
  const { uid } = ownerOf(cluster)
  if (uid === process.getuid?.()) return
  throw new EmbeddedRefused(
    `${cluster} belongs to another user (number ${uid}). Start Florin as that user, give the folder to this one ` +
      `(chown -R), or set DATA_DIR to another folder.`,
  )
}
