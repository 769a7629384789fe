import { AssayError, type SecretAddress } from "@assay/schemas"
import {
  createPathLocks,
  isHistoryPath,
  withCache,
  type DigestIndex,
  type FileHistory,
  type FilePath,
  type FileVersion,
  type Storage,
} from "@assay/storage"
import { LRUCache } from "lru-cache"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { guardSigned } from "../filesets/fileset-signature.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { checkSecretRights } from "../storages/secret-rights.ts"
import { openAt } from "../storages/open-storage.ts"
import { folderOf, secretsOfStorage, storageOf } from "../storages/storage-configuration.ts"
import type { DigestIndexes } from "./digest-indexes.ts"

/** Opens the storage of a fileset for a caller. @throws `secret_not_readable` */
export type OpenFileset = (row: FilesetRow, rights: SecretRights) => Promise<Storage>

/** How replaced and deleted files are kept. */
export interface KeepingOptions {
  /** Returns the history of a fileset. Undefined: nothing is kept. */
  readonly historyOf?: ((filesetId: string) => FileHistory) | undefined
  /** Frees space on a full disk. */
  readonly relieve?: (() => Promise<boolean>) | undefined
}

/** Maximum number of filesets whose storage is kept open. */
const MAX_OPEN = 1000

interface Opened {
  /** The secrets that its configuration names. */
  readonly secrets: readonly SecretAddress[]
  /** The versions of the secrets when it was opened. */
  readonly versions: string
  readonly storage: Promise<Storage>
}

/**
 * Keeps the most recently used storages open. A fileset never changes its storage, except for the subfolder, which then
 * counts as another storage. If a secret changes, the next use opens the storage again. Reads in progress continue.
 */
export function createOpenFileset(
  context: FilesetsContext,
  digestsOf: DigestIndexes,
  { historyOf, relieve }: KeepingOptions = {},
): OpenFileset {
  const { defaultStorage, secretVersions, readCache, isShared, systemLocks, contentChecks } = context
  // A random number for each upload would cost more than creating its file.
  const prefix = context.newId("upload")
  let uploads = 0
  const local = {
    locks: createPathLocks(),
    newId: () => `${prefix}-${(uploads += 1)}`,
    isShared,
    systemLocks,
    checks: contentChecks,
    relieve,
  }
  const opened = new LRUCache<string, Opened>({ max: MAX_OPEN })

  /** The only function that opens the storage of a fileset. Wrappers around it belong here. */
  async function open(row: FilesetRow): Promise<Storage> {
    const isOwn = row.owns_bytes === 1
    const location = { configuration: storageOf(row, defaultStorage), workspace: row.workspace, isOwn }
    const digests = row.subfolder === "" ? digestsOf(row.id) : digestsBelow(digestsOf(row.id), row.subfolder)
    // The files of a subfolder are those of an attempt, which are replaced all at once.
    const history = row.subfolder === "" ? historyOf?.(row.id) : undefined
    const { storage, configuration } = await openAt(context, location, { digests, history, ...local })
    const signed = await guardSigned(context, storage, row.signature)
    // Files that were compared with their signature, and not those that another fileset of the same storage has cached.
    const apart = signed === storage ? undefined : "signed"
    // The cache is on the default storage itself, so caching its files would only copy them.
    const cached =
      isOwn || readCache === undefined ? undefined : withCache(signed, { cache: readCache, configuration, apart })
    return withoutKept(cached ?? signed)
  }

  return async (row, rights) => {
    const { workspace, owns_bytes } = row
    // A restored fileset has another folder than before.
    const id = [row.id, owns_bytes === 1 ? folderOf(row) : "", row.subfolder].join("/")
    const secrets = opened.get(id)?.secrets ?? secretsOfStorage(storageOf(row, defaultStorage), workspace)
    // The secrets of the default storage are the operator's. Every caller uses them.
    if (owns_bytes === 0) checkSecretRights(secrets, workspace, rights)
    const versions = secrets.length === 0 ? "" : await secretVersions(secrets)
    let one = opened.get(id)
    if (one?.versions !== versions) {
      const storage = open(row)
      one = { secrets, versions, storage }
      // Do not keep a failure: the next attempt can succeed.
      storage.catch(() => opened.peek(id)?.storage === storage && opened.delete(id))
      opened.set(id, one)
    }
    return one.storage
  }
}

/** Hides the kept bytes of an object store, which has no hidden names of its own. */
function withoutKept(storage: Storage): Storage {
  if (storage.type !== "objstore") return storage
  const { level } = storage
  const checked = (path: FilePath): FilePath => {
    if (!isHistoryPath(path)) return path
    throw new AssayError("bad_path", `The path '${path}' is used for the history of files; choose another one.`)
  }
  return {
    ...storage,
    stat: async (path, options) => storage.stat(checked(path), options),
    read: async (path, options) => storage.read(checked(path), options),
    write: async (path, bytes, options) => storage.write(checked(path), bytes, options),
    delete: async (path, options) => storage.delete(checked(path), options),
    async *list(options) {
      for await (const file of storage.list(options)) if (!isHistoryPath(file.path)) yield file
    },
    ...(level === undefined
      ? {}
      : {
          async *level(options) {
            for await (const entry of level(options)) if (!isHistoryPath(entry.path)) yield entry
          },
        }),
  }
}

/** Returns the digests of the files in a subfolder, by their paths below it. */
function digestsBelow(digests: DigestIndex, folder: string): DigestIndex {
  const inFolder = <File extends FileVersion>(file: File): File => ({ ...file, path: `${folder}/${file.path}` })
  return {
    get: (file) => digests.get(inFolder(file)),
    getMany: (files) => digests.getMany(files.map(inFolder)),
    put: (file, sha256) => digests.put(inFolder(file), sha256),
    forget: (path, keep) => digests.forget(`${folder}/${path}`, keep && inFolder(keep)),
    forgetLater: (path, { keep, gone }) =>
      digests.forgetLater(`${folder}/${path}`, { keep: keep && inFolder(keep), gone: inFolder(gone) }),
    settle: () => digests.settle(),
  }
}
