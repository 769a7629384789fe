import { createHash } from "node:crypto"
import type { Storage } from "@assay/storage"
import { sql } from "kysely"
import type { Database, Queries } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { revisionFileOf } from "./revisions.ts"
import type { RevisionFile } from "./revision-file.ts"

/** Digests of files on storage that does not provide them. */
export interface ContentDigests {
  /** Returns the stored digests of these versions, by path. */
  known(filesetId: string, files: readonly RevisionFile[]): Promise<ReadonlyMap<string, string>>
  /** Finds files by content. Returns paths and versions, which may be outdated. */
  find(filesetId: string, sha256s: readonly string[]): Promise<readonly FoundContent[]>
  /** Stores a digest that became known during another operation. */
  keep(filesetId: string, file: RevisionFile): Promise<void>
  /**
   * Computes and stores the digest of a file. Reads the file, unless a metadata request returns the digest. It continues
   * if the caller gives up, and a later call joins it. Returns null if the file has changed.
   * @throws the errors of reading
   */
  compute(filesetId: string, storage: Storage, file: RevisionFile): Promise<string | null>
}

/** A version of a file that had a content. */
interface FoundContent {
  readonly path: string
  readonly version: string
  readonly sha256: string
}

/** Maximum number of paths in one query. */
const PATHS = 1000
/** Maximum number of digests in one query. */
const DIGESTS = 256
/** Characters. */
const DIGEST_LENGTH = 64

export function createContentDigests({
  database,
  background,
}: Pick<FilesetsContext, "database" | "background">): ContentDigests {
  const underWay = new Map<string, Promise<string | null>>()

  return {
    async known(filesetId, files) {
      const found = new Map<string, string>()
      for (let at = 0; at < files.length; at += PATHS) {
        for (const row of await knownOf(database, filesetId, files.slice(at, at + PATHS)))
          found.set(row.path, row.sha256)
      }
      return found
    },
    find: (filesetId, sha256s) => findContents(database, filesetId, sha256s),
    keep: (filesetId, file) => keepDigest(database, filesetId, file),
    compute(filesetId, storage, file) {
      const key = `${filesetId} ${file.version} ${file.path}`
      const running = underWay.get(key)
      if (running !== undefined) return running
      const { promise, resolve, reject } = Promise.withResolvers<string | null>()
      underWay.set(key, promise)
      background.start(`compute the digest of ${file.path}`, async (signal) => {
        try {
          resolve(await computeDigest(database, { filesetId, storage, file }, signal))
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

/**
 * Looks each path up by itself, because a condition for all of them is planned by the number of files that the fileset had when PostgreSQL
 * counted them last: while that is not the present one, it reads all files of the fileset.
 */
async function knownOf(
  database: Database,
  fileset_id: string,
  files: readonly RevisionFile[],
): Promise<readonly FoundContent[]> {
  const paths = database.dialect.jsonElements(JSON.stringify(files.map(({ path }) => [path])))
  const statement = sql<{ readonly path: string; readonly found: string | null }>`select value->>0 as path,
    (select sha256 || version from content_digests where fileset_id = ${fileset_id} and path = value->>0) as found
    from ${paths}`
  const { rows } = await database.read((queries) => statement.execute(queries))
  const versions = new Map<string, string>(files.map(({ path, version }) => [path, version]))
  return rows
    .map(({ path, found }) => ({
      path,
      version: found?.slice(DIGEST_LENGTH) ?? "",
      sha256: found?.slice(0, DIGEST_LENGTH) ?? "",
    }))
    .filter(({ path, version, sha256 }) => sha256 !== "" && versions.get(path) === version)
}

async function findContents(
  database: Database,
  fileset_id: string,
  sha256s: readonly string[],
): Promise<readonly FoundContent[]> {
  const found: FoundContent[] = []
  for (let at = 0; at < sha256s.length; at += DIGESTS) {
    const rows = await database.read((queries) =>
      queries
        .selectFrom("content_digests")
        .select(["path", "version", "sha256"])
        // Not by the primary key, which would read all files of the fileset.
        .where(sql<string>`fileset_id || ''`, "=", fileset_id)
        .where("sha256", "in", sha256s.slice(at, at + DIGESTS))
        .execute(),
    )
    found.push(...rows)
  }
  return found
}

async function keepDigest(
  database: Database,
  fileset_id: string,
  { path, version, sha256 }: RevisionFile,
): Promise<void> {
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
    // The fileset was removed in the meantime.
    if (database.dialect.failureOf(error) !== "missing_parent") throw error
  }
}

interface FilesetFile {
  readonly filesetId: string
  readonly storage: Storage
  readonly file: RevisionFile
}

/** Computes and stores the digest of a file. Returns null if the file has changed. */
async function computeDigest(
  database: Database,
  { filesetId, storage, file }: FilesetFile,
  signal: AbortSignal,
): Promise<string | null> {
  const found = await withDigest(storage, file, signal)
  await keepDigest(database, filesetId, found)
  return found.version === file.version ? found.sha256 : null
}

/** Returns the present file with its digest. */
async function withDigest(storage: Storage, file: RevisionFile, signal: AbortSignal): Promise<RevisionFile> {
  const { path } = file
  // Some backends return a digest for a single file and none in lists.
  const stored = revisionFileOf(await storage.stat(path, { signal }))
  if (stored.version !== file.version || stored.sha256 !== null) return stored
  const { file: read, bytes, release } = await storage.read(path, { signal })
  const hash = createHash("sha256")
  for await (const piece of bytes) {
    hash.update(piece)
    release?.(piece)
  }
  return { ...revisionFileOf(read), sha256: hash.digest("hex") }
}
