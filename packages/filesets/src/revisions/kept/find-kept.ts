import { AssayError, formatTimestamp } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { FilesetsContext } from "../../filesets-context.ts"
import type { GoneReason, KeptFileTable } from "@assay/database"
import type { Selectable } from "kysely"
import type { RevisionFile } from "../revision-file.ts"

/** A version of a file, as its history has it. */
export type FoundVersion = Pick<Selectable<KeptFileTable>, "id" | "path" | "size" | "sha256" | "gone_at" | "gone_why">

const COLUMNS = ["id", "path", "size", "sha256", "gone_at", "gone_why"] as const

type FindContext = Pick<FilesetsContext, "database">

/** Finds a version: its bytes, the same bytes under another path, or the record that they are gone. */
export async function findVersion(
  { database }: FindContext,
  fileset_id: string,
  { path, version, sha256 }: RevisionFile,
): Promise<FoundVersion | undefined> {
  return database.read(async (queries) => {
    const all = queries.selectFrom("kept_files").select(COLUMNS).where("fileset_id", "=", fileset_id)
    const own = await all
      .where((kept) => kept.and({ path, version }))
      .orderBy("id", "desc")
      .execute()
    const kept = own.find(({ gone_at }) => gone_at === null)
    if (kept !== undefined) return kept
    const same =
      sha256 === null
        ? undefined
        : await all.where("sha256", "=", sha256).where("gone_at", "is", null).limit(1).executeTakeFirst()
    return same ?? own[0]
  })
}

/** Finds a version with this content whose bytes are kept, the last one first. */
export async function findKeptContent(
  { database }: FindContext,
  fileset_id: string,
  sha256: string,
): Promise<Pick<FoundVersion, "id" | "size"> | undefined> {
  return database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .select(["id", "size"])
      .where((kept) => kept.and({ fileset_id, sha256 }))
      .where("gone_at", "is", null)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst(),
  )
}

const REASONS: Readonly<Record<GoneReason, string>> = {
  expired: "they were kept for ASSAY_HISTORY_DAYS",
  limit: "the history of the fileset reached ASSAY_HISTORY_MAX_BYTES",
  disk_full: "the disk was full",
  purged: "somebody purged the history",
  no_room: "the storage could not keep them",
  backup: "a backup holds no history",
  lost: "they were not on the storage",
}

/** Says why the bytes of a version are gone. */
export function whyGone(found: Pick<FoundVersion, "gone_at" | "gone_why"> | undefined): string {
  if (found === undefined) return "were replaced or deleted without being kept"
  if (found.gone_at === null) return "are not on the storage any more"
  return `went on ${formatTimestamp(found.gone_at)}: ${REASONS[found.gone_why ?? "lost"]}`
}

/** Returns the error for a version whose bytes are gone. */
export function versionGone(
  { workspace, name }: { readonly workspace: string; readonly name: string },
  { path, at }: { readonly path: FilePath; readonly at: string },
  found: FoundVersion | undefined,
): AssayError {
  const message = `The bytes of '${path}' in fileset '${workspace}/${name}' at ${at} ${whyGone(found)}. Read a later revision.`
  const context = { workspace, fileset: name, path, revision: at, gone_why: found?.gone_why ?? "not_kept" }
  return new AssayError("revision_gone", message, { context })
}
