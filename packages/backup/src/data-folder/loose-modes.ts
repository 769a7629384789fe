import { statSync, type Stats } from "node:fs"
import { join } from "node:path"

/** A file or folder that a user other than the server's can read, change or own. */
export interface LooseMode {
  readonly path: string
  /** Octal, such as `0755`. */
  readonly mode: string
  /** One sentence that says what is wrong. */
  readonly problem: string
  /** The command that corrects it. */
  readonly command: string
}

interface PathsToCheck {
  readonly dataFolder: string
  readonly tokensFile: string
  readonly keysFile: string
  /** The folder of a local default storage outside the data folder. */
  readonly storageFolder?: string | undefined
  /** The user id of the process. Undefined if the operating system has no numeric user ids. */
  readonly uid: number | undefined
}

interface CheckedPath {
  readonly path: string
  readonly what: string
  /** The bits that must not be set. */
  readonly forbidden: number
  /** The mode to set. */
  readonly wanted: string
}

/** The permissions of the group and of others. */
const NOT_OWNER = 0o077
/** The permissions of others. An operator may share a storage folder with a group intentionally. */
const OTHERS = 0o007

function pathsOf({ dataFolder, tokensFile, keysFile, storageFolder }: PathsToCheck): readonly CheckedPath[] {
  const file = (path: string, what: string): CheckedPath => ({ path, what, forbidden: NOT_OWNER, wanted: "600" })
  const database = join(dataFolder, "registry.db")
  return [
    { path: dataFolder, what: "The data folder", forbidden: NOT_OWNER, wanted: "700" },
    ...["", "-wal", "-shm"].map((end) => file(`${database}${end}`, "The database")),
    file(keysFile, "The file of encryption keys"),
    file(tokensFile, "The token file"),
    ...(storageFolder === undefined
      ? []
      : [{ path: storageFolder, what: "The default storage", forbidden: OTHERS, wanted: "o-rwx" }]),
  ]
}

/**
 * Finds data folders, databases, keys and tokens that another user of the machine could read or change, and those that
 * another user owns. It changes nothing, because the operator may have reasons. Missing files are skipped.
 */
export function findLooseModes(paths: PathsToCheck): readonly LooseMode[] {
  const { uid } = paths
  // Without numeric user ids, the bits of a mode mean nothing either.
  if (uid === undefined) return []
  return pathsOf(paths).flatMap((checked) => {
    const stats = look(checked.path)
    return stats === undefined ? [] : judge(checked, stats, uid)
  })
}

function judge({ path, what, forbidden, wanted }: CheckedPath, stats: Stats, uid: number): readonly LooseMode[] {
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0")
  const found: LooseMode[] = []
  const loose = stats.mode & forbidden
  if (loose !== 0) {
    const who = (loose & OTHERS) === 0 ? "its group" : "every user of this machine"
    const can = (loose & 0o022) === 0 ? "read" : "change"
    const problem = `${what} '${path}' has the mode ${mode}: ${who} may ${can} it.`
    found.push({ path, mode, problem, command: `chmod ${wanted} ${quoted(path)}` })
  }
  if (stats.uid !== uid) {
    const problem = `${what} '${path}' belongs to user ${stats.uid}, while the server runs as user ${uid}.`
    found.push({ path, mode, problem, command: `chown ${uid} ${quoted(path)}` })
  }
  return found
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
