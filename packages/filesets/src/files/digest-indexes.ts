import type { DigestIndex, FileVersion } from "@assay/storage"
import { sql, type Insertable } from "kysely"
import {
  slot,
  type Database,
  type Queries,
  groupTasksBy,
  type FileDigestTable,
  allOf,
  anyOf,
  isNot,
  type Condition,
} from "@assay/database"

/** Returns the digest index of a fileset in the database. */
export type DigestIndexes = (filesetId: string) => DigestIndex

interface Forgetting {
  readonly fileset_id: string
  readonly path: string
  readonly keep: FileVersion | undefined
}

/** Maximum number of removals that are kept for later. */
const MAX_GONE = 1000

/**
 * Concurrent uploads to a fileset share a transaction for their digests. It does not wait for the disk: `settle` does, at the same time
 * as the folder of the file.
 */
export function createDigestIndexes(database: Database): DigestIndexes {
  // A digest references its fileset, so it waits for a server that removes or renames that fileset. Hence one group each.
  const filesetOf = (task: { readonly fileset_id: string }) => task.fileset_id
  const put = groupTasksBy<Insertable<FileDigestTable>>(filesetOf, (digests) => keep(database, digests))
  const forget = groupTasksBy<Forgetting>(filesetOf, (tasks) => forgetAll(database, tasks))
  const one = database.prepare((queries) =>
    queries
      .selectFrom("file_digests")
      .select("sha256")
      .where("fileset_id", "=", slot<string>("fileset_id"))
      .where("path", "=", slot<string>("path"))
      .where("size", "=", slot<number>("size"))
      .where("mtime_ns", "=", slot<string>("mtime_ns")),
  )

  /** Versions that files no longer have, and that could not be removed. */
  let gone: Insertable<VersionRow>[] = []
  async function forgetGone(): Promise<void> {
    const versions = gone
    gone = []
    try {
      if (versions.length > 0) await forgetVersions(database, versions)
    } catch {
      gone = [...versions, ...gone].slice(-MAX_GONE)
    }
  }

  return (fileset_id) => ({
    async get(file) {
      const [row] = await one.run({ fileset_id, ...columnsOf(file) })
      return row?.sha256
    },
    async getMany(files) {
      if (files.length === 0) return []
      const rows = await database.read((queries) =>
        queries
          .selectFrom("file_digests")
          .select(["path", "size", "mtime_ns", "sha256"])
          .where("fileset_id", "=", fileset_id)
          .where("path", "in", [...new Set(files.map(({ path }) => path))])
          .execute(),
      )
      const digests = new Map(rows.map((row) => [versionKey(row), row.sha256]))
      return files.map((file) => digests.get(versionKey(columnsOf(file))))
    },
    put: (file, sha256) => put({ fileset_id, ...columnsOf(file), sha256 }),
    forget: (path, kept) => forget({ fileset_id, path, keep: kept }),
    async forgetLater(path, { keep: kept, gone: version }) {
      try {
        await forget({ fileset_id, path, keep: kept })
      } catch {
        // Not by path: until then, the path can have a newer version.
        gone = [...gone, { fileset_id, ...columnsOf(version) }].slice(-MAX_GONE)
        return
      }
      await forgetGone()
    },
    settle: () => database.settle(),
  })
}

type VersionColumns = Pick<FileDigestTable, "path" | "size" | "mtime_ns">

type VersionRow = Pick<FileDigestTable, "fileset_id" | "path" | "size" | "mtime_ns">

function columnsOf({ path, size, mtimeNs }: FileVersion): VersionColumns {
  return { path, size, mtime_ns: String(mtimeNs) }
}

function versionKey({ path, size, mtime_ns }: VersionColumns): string {
  return `${size} ${mtime_ns} ${path}`
}

/** Stores digests of one fileset. They are one parameter, so that any number of them is the same prepared statement. */
async function keep(database: Database, digests: readonly Insertable<FileDigestTable>[]): Promise<void> {
  // A statement can't write the same row twice.
  const latest = new Map(digests.map((digest) => [versionKey(digest), digest]))
  const rows = Array.from(latest.values(), ({ fileset_id, path, size, mtime_ns, sha256 }) => {
    return [fileset_id, path, size, mtime_ns, sha256]
  })
  const elements = database.dialect.jsonElements(JSON.stringify(rows))
  const statement = sql`insert into file_digests (fileset_id, path, size, mtime_ns, sha256)
    select value->>0, value->>1, cast(value->>2 as bigint), value->>3, value->>4 from ${elements} where true
    on conflict (fileset_id, path, size, mtime_ns) do update set sha256 = excluded.sha256`
  await database.write((queries) => statement.execute(queries), { durable: false })
}

async function forgetAll(database: Database, tasks: readonly Forgetting[]): Promise<void> {
  const write = (queries: Queries) =>
    queries
      .deleteFrom("file_digests")
      .where(anyOf(tasks.map(isForgotten)))
      .execute()
  await database.write(write, { durable: false })
}

async function forgetVersions(database: Database, versions: readonly Insertable<VersionRow>[]): Promise<void> {
  const write = (queries: Queries) =>
    queries
      .deleteFrom("file_digests")
      .where((digests) => digests.or(versions.map((version) => digests.and(version))))
      .execute()
  await database.write(write, { durable: false })
}

function isForgotten({ fileset_id, path, keep }: Forgetting): Condition {
  const isOfPath = sql<boolean>`fileset_id = ${fileset_id} and path = ${path}`
  if (keep === undefined) return isOfPath
  return allOf([isOfPath, isNot(sql`size = ${keep.size} and mtime_ns = ${String(keep.mtimeNs)}`)])
}
