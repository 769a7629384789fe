import type { SecretAddress } from "@assay/schemas"
import { createPathLocks, withCache, type Storage, type DigestIndex, type FileVersion } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { SecretRights } from "../registry.ts"
import { checkSecretRights } from "../secrets/secret-access.ts"
import { openAt } from "../storages/open-at.ts"
import { secretsOfStorage, storageOf } from "../storages/storage-configuration.ts"
import type { DigestIndexes } from "./digest-indexes.ts"

/** Opens the storage of a fileset for a caller. @throws `secret_not_readable` */
export type OpenFileset = (row: FilesetRow, rights: SecretRights) => Promise<Storage>

/** Filesets whose storage is kept open. */
const MAX_OPEN = 1000

interface Opened {
  /** Those that its configuration names. */
  readonly secrets: readonly SecretAddress[]
  /** Of the secrets, when it was opened. */
  readonly versions: string
  readonly storage: Promise<Storage>
}

/**
 * Keeps storages open that were used last. A fileset never changes its storage but for a subfolder, which is another
 * storage then. A secret that it names can be set anew: the next use opens it again, while reads that are under way go on.
 */
export function createOpenFileset(context: RegistryContext, digestsOf: DigestIndexes): OpenFileset {
  const { defaultStorage, secretVersions, readCache, isShared, systemLocks, contentChecks } = context
  const local = {
    locks: createPathLocks(),
    newId: () => context.newId("upload"),
    isShared,
    systemLocks,
    checks: contentChecks,
  }
  const opened = new Map<string, Opened>()

  /** The one place where the storage of a fileset is opened: what is to stand before its bytes goes around it here. */
  async function open(row: FilesetRow): Promise<Storage> {
    const isOwn = row.owns_bytes === 1
    const place = { configuration: storageOf(row, defaultStorage), workspace: row.workspace, isOwn }
    const digests = row.subfolder === "" ? digestsOf(row.id) : digestsBelow(digestsOf(row.id), row.subfolder)
    const { storage, configuration } = await openAt(context, place, { digests, ...local })
    // The cache is on the default storage too: what lies there would only be copied.
    const cached =
      isOwn || readCache === undefined ? undefined : withCache(storage, { cache: readCache, configuration })
    return cached ?? storage
  }

  function keep(id: string, one: Opened): void {
    opened.delete(id)
    opened.set(id, one)
    for (const oldest of opened.keys()) {
      if (opened.size <= MAX_OPEN) break
      opened.delete(oldest)
    }
  }

  return async (row, rights) => {
    const { workspace, owns_bytes } = row
    const id = row.subfolder === "" ? row.id : `${row.id}/${row.subfolder}`
    const secrets = opened.get(id)?.secrets ?? secretsOfStorage(storageOf(row, defaultStorage), workspace)
    // What the default storage needs is the operator's, and everybody uses it.
    if (owns_bytes === 0) checkSecretRights(secrets, workspace, rights)
    const versions = secrets.length === 0 ? "" : await secretVersions(secrets)
    let one = opened.get(id)
    if (one?.versions !== versions) {
      const storage = open(row)
      one = { secrets, versions, storage }
      // A failure is not kept: what was wrong can be right the next time.
      storage.catch(() => opened.get(id)?.storage === storage && opened.delete(id))
    }
    keep(id, one)
    return one.storage
  }
}

/** The digests of the files in a folder, by their paths below it. */
export function digestsBelow(digests: DigestIndex, folder: string): DigestIndex {
  const placed = <File extends FileVersion>(file: File): File => ({ ...file, path: `${folder}/${file.path}` })
  return {
    get: (file) => digests.get(placed(file)),
    getMany: (files) => digests.getMany(files.map(placed)),
    put: (file, sha256) => digests.put(placed(file), sha256),
    forget: (path, keep) => digests.forget(`${folder}/${path}`, keep && placed(keep)),
  }
}
