import { createHash } from "node:crypto"
import { isAssayError, messageOf } from "@assay/schemas"
import { forEachParallel, type KeptBytes, type Storage, type FilePath } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { readPages } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { revisionFileOf } from "../revisions/revisions.ts"
import type { Damage } from "./integrity.ts"
import { locationOf } from "./recorded-files.ts"

interface KeptRecord {
  readonly id: string
  readonly path: FilePath
  readonly size: number
  readonly sha256: string | null
  readonly version: string
}

interface VerifyOptions {
  readonly fileset: FilesetRow
  readonly kept: KeptBytes
  readonly storage: Pick<Storage, "stat">
  readonly onDamage: (damage: Damage) => void
  readonly signal: AbortSignal
}

const PARALLEL = 4

/** Reads the kept bytes of a fileset and compares them with their records. Returns how many there are. */
export async function verifyKept(
  { database }: Pick<FilesetsContext, "database">,
  { fileset, kept, storage, onDamage, signal }: VerifyOptions,
): Promise<number> {
  let count = 0
  const recordOf = (id: string) =>
    database.read((queries) =>
      queries
        .selectFrom("kept_files")
        .select("gone_at")
        .where((row) => row.and({ fileset_id: fileset.id, id }))
        .executeTakeFirst(),
    )

  async function verify(record: KeptRecord): Promise<void> {
    signal.throwIfAborted()
    count += 1
    const found = await faultOf(kept, record, signal)
    if (found === undefined) return
    // It can have expired in the meantime.
    const now = await recordOf(record.id)
    if (now === undefined || now.gone_at !== null) return
    // A write that a crash ended before it replaced the file. The server forgets it.
    if (found.kind === "missing" && (await hasVersion(storage, record))) return
    const detail = `${found.detail} A former version of the file can't be restored; the file itself is not affected.`
    onDamage({ kind: found.kind, place: locationOf(fileset, record.path), detail })
  }

  await forEachParallel(keptRecords(database, fileset.id), PARALLEL, verify)
  return count
}

async function faultOf(
  kept: KeptBytes,
  { id, size, sha256 }: KeptRecord,
  signal: AbortSignal,
): Promise<Pick<Damage, "kind" | "detail"> | undefined> {
  try {
    const stored = await kept.size(id)
    if (stored === undefined) return { kind: "missing", detail: "Kept bytes are on record and not on the storage." }
    if (stored !== size) return { kind: "damaged", detail: `Kept bytes are ${stored} instead of ${size}.` }
    if (sha256 === null) return undefined
    const { bytes, release } = await kept.read(id, { signal })
    const hash = createHash("sha256")
    for await (const piece of bytes) {
      hash.update(piece)
      release?.(piece)
    }
    const digest = hash.digest("hex")
    if (digest === sha256) return undefined
    return { kind: "damaged", detail: `Kept bytes have the SHA-256 ${digest} instead of ${sha256}.` }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: "unreadable", detail: messageOf(error) }
  }
}

async function* keptRecords(
  database: FilesetsContext["database"],
  filesetId: string,
): AsyncGenerator<KeptRecord, void, undefined> {
  const pages = readPages<KeptRecord>((last, limit) =>
    database.read((queries) =>
      queries
        .selectFrom("kept_files")
        .select(["id", "path", "size", "sha256", "version"])
        .where("fileset_id", "=", filesetId)
        .where("gone_at", "is", null)
        .where("id", ">", last?.id ?? "")
        .orderBy("id")
        .limit(limit)
        .execute(),
    ),
  )
  for await (const rows of pages) yield* rows
}

/** Returns whether the file of a path still has a version. */
export async function hasVersion(
  storage: Pick<Storage, "stat">,
  { path, version }: Pick<KeptRecord, "path" | "version">,
): Promise<boolean> {
  try {
    return revisionFileOf(await storage.stat(path)).version === version
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}
