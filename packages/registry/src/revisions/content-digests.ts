import { createHash } from "node:crypto"
import { parseFilePath, type Storage } from "@assay/storage"
import type { Queries } from "../database/database.ts"
import type { RegistryContext } from "../registry-context.ts"
import { treeFileOf } from "./revision-of.ts"
import type { TreeFile } from "./revisions.ts"

/** Digests of files whose storage can't tell them. */
export interface ContentDigests {
  /** By path: what is known of these versions. */
  known(filesetId: string, files: readonly TreeFile[]): Promise<ReadonlyMap<string, string>>
  /** Paths of files that had the content when somebody last asked, with their versions. */
  having(filesetId: string, sha256: string): Promise<readonly { readonly path: string; readonly version: string }[]>
  /** Keeps what was learnt by the way. */
  keep(filesetId: string, file: TreeFile): Promise<void>
  /**
   * Looks the file up, reads all of it if that does not tell, and keeps its digest. Goes on when nobody waits any more: whoever asks again finds it further.
   * @throws what reading throws; answers null where the file has another version by now
   */
  compute(filesetId: string, storage: Storage, file: TreeFile): Promise<string | null>
}

/** Paths that one query asks about. */
const BATCH = 256

export function createContentDigests({
  database,
  background,
}: Pick<RegistryContext, "database" | "background">): ContentDigests {
  const underWay = new Map<string, Promise<string | null>>()

  async function knownOf(fileset_id: string, files: readonly TreeFile[]) {
    const paths = files.map(({ path }) => path)
    const rows = await database.read((queries) =>
      queries
        .selectFrom("content_digests")
        .select(["path", "version", "sha256"])
        .where("fileset_id", "=", fileset_id)
        .where("path", "in", paths)
        .execute(),
    )
    const versions = new Map(files.map(({ path, version }) => [path, version]))
    return rows.filter(({ path, version }) => versions.get(path) === version)
  }

  async function keep(fileset_id: string, { path, version, sha256 }: TreeFile): Promise<void> {
    if (sha256 === null) return
    const write = (queries: Queries) =>
      queries
        .insertInto("content_digests")
        .values({ fileset_id, path, version, sha256 })
        .onConflict((conflict) => conflict.columns(["fileset_id", "path"]).doUpdateSet({ version, sha256 }))
        .execute()
    try {
      await database.write(write, { durable: false })
    } catch (error) {
      // Of a fileset that was removed meanwhile there is nothing to keep.
      if (database.dialect.failureOf(error) !== "missing_parent") throw error
    }
  }

  /** Answers with the file as it is, once its digest is known. */
  async function look(storage: Storage, file: TreeFile, signal: AbortSignal): Promise<TreeFile> {
    const path = parseFilePath(file.path)
    // Some backends tell of single files what they leave out of lists.
    const stored = treeFileOf(await storage.stat(path, { signal }))
    if (stored.version !== file.version || stored.sha256 !== null) return stored
    const { file: read, bytes, release } = await storage.read(path, { signal })
    const hash = createHash("sha256")
    for await (const piece of bytes) {
      hash.update(piece)
      release?.(piece)
    }
    return { ...treeFileOf(read), sha256: hash.digest("hex") }
  }

  async function compute(filesetId: string, storage: Storage, file: TreeFile, signal: AbortSignal) {
    const found = await look(storage, file, signal)
    await keep(filesetId, found)
    return found.version === file.version ? found.sha256 : null
  }

  return {
    async known(filesetId, files) {
      const found = new Map<string, string>()
      for (let at = 0; at < files.length; at += BATCH) {
        for (const row of await knownOf(filesetId, files.slice(at, at + BATCH))) found.set(row.path, row.sha256)
      }
      return found
    },
    having: (fileset_id, sha256) =>
      database.read((queries) =>
        queries
          .selectFrom("content_digests")
          .select(["path", "version"])
          .where((row) => row.and({ fileset_id, sha256 }))
          .execute(),
      ),
    keep,
    compute(filesetId, storage, file) {
      const key = `${filesetId} ${file.version} ${file.path}`
      const running = underWay.get(key)
      if (running !== undefined) return running
      const { promise, resolve, reject } = Promise.withResolvers<string | null>()
      underWay.set(key, promise)
      background.start(`compute the digest of ${file.path}`, async (signal) => {
        try {
          resolve(await compute(filesetId, storage, file, signal))
        } catch (error) {
          reject(error)
        } finally {
          underWay.delete(key)
        }
      })
      return promise
    },
  }
}
