import { createHash } from "node:crypto"
import type { KeptBytes, ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import { findVersion, versionGone, type FoundVersion } from "./find-kept.ts"
import type { FilesetsContext } from "../../filesets-context.ts"
import type { OpenedFileset } from "../current/current-revisions.ts"
import type { Revision, RevisionFileInfo } from "../revisions.ts"
import type { RevisionFile } from "../revision-file.ts"

/** A version of a file that a revision has, and that was replaced or deleted since. */
export interface KeptSource {
  readonly version: RevisionFile
  readonly old: Revision
}

type KeptContext = Pick<FilesetsContext, "database">

interface FoundBytes {
  readonly kept: KeptBytes
  readonly id: string
  readonly sha256: string
}

/** Describes a version whose bytes are kept. @throws `revision_gone` */
export async function statKept(
  context: KeptContext,
  fileset: OpenedFileset,
  source: KeptSource,
): Promise<RevisionFileInfo["file"]> {
  const { sha256 } = await findBytes(context, fileset, source)
  return fileOf(source, sha256)
}

/** Reads a version whose bytes are kept. @throws `revision_gone` */
export async function readKept(
  context: KeptContext,
  fileset: OpenedFileset,
  source: KeptSource,
  options: ReadOptions,
): Promise<Omit<ReadResult, "file"> & Pick<RevisionFileInfo, "file">> {
  const { kept, id, sha256 } = await findBytes(context, fileset, source)
  const { file: _file, ...rest } = await kept.read(id, { ...options, sha256 })
  return { ...rest, file: fileOf(source, sha256) }
}

async function findBytes(context: KeptContext, fileset: OpenedFileset, source: KeptSource): Promise<FoundBytes> {
  const { version, old } = source
  const { kept } = fileset.storage
  const found = await findVersion(context, fileset.id, version)
  const isKept = found?.gone_at === null && kept !== undefined && (await kept.size(found.id)) === version.size
  if (!isKept) throw versionGone(fileset, { path: version.path, at: old.commit }, found)
  const sha256 = version.sha256 ?? found.sha256 ?? (await learnDigest(context, fileset.id, { found, kept }))
  return { kept, id: found.id, sha256 }
}

/** Reads a version to compute its digest, and stores it. */
async function learnDigest(
  { database }: KeptContext,
  fileset_id: string,
  { found, kept }: { readonly found: FoundVersion; readonly kept: KeptBytes },
): Promise<string> {
  const hash = createHash("sha256")
  const { bytes, release } = await kept.read(found.id)
  for await (const piece of bytes) {
    hash.update(piece)
    release?.(piece)
  }
  const sha256 = hash.digest("hex")
  await database.write(
    (queries) =>
      queries
        .updateTable("kept_files")
        .set({ sha256 })
        .where((row) => row.and({ fileset_id, id: found.id }))
        .execute(),
    { durable: false },
  )
  return sha256
}

function fileOf({ version, old }: KeptSource, sha256: string): StoredFile & RevisionFileInfo["file"] {
  const { path, size } = version
  return { path, size, sha256, etag: `"${sha256}"`, updatedAt: old.createdAt }
}
