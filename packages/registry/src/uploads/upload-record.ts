import { open } from "node:fs/promises"
import { type FilePath, isFilePath, replaceFile } from "@assay/storage"
import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { orDiskFull } from "./write-piece.ts"

/** The record of an upload in progress, which is stored beside its bytes. */
export const UploadRecord = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  /** The name of the fileset when the upload began. */
  fileset: Type.String(),
  /** Absent in records of older versions. During an upload, the name can pass to another fileset. */
  filesetId: Type.Optional(Type.String()),
  path: Type.Unsafe<FilePath>(Type.String()),
  /** Bytes of the whole file. */
  length: Type.Integer(),
  /** Required digest of the whole file, lower-case hex. */
  sha256: Type.Union([Type.String(), Type.Null()]),
  /** `Upload-Metadata` as the client sent it. Absent in records of older versions. */
  metadata: Type.Optional(Type.String()),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer(),
  /** Start of a piece whose checksum was not compared yet. Bytes from here on do not count. */
  unverifiedFrom: Type.Union([Type.Integer(), Type.Null()]),
  /** The file is in its fileset, and the bytes here are gone. */
  completed: Type.Boolean(),
})
export type UploadRecord = Static<typeof UploadRecord>

/** The fileset of an upload. Callers that may write to another fileset can neither see nor finish the upload. */
export type UploadTarget = Required<Pick<UploadRecord, "workspace" | "fileset" | "filesetId">>

/** Returns whether an upload is for a target. A fileset that was renamed continues its uploads under the new name. */
export function isFor(record: UploadRecord, to: UploadTarget): boolean {
  if (record.workspace !== to.workspace) return false
  return record.filesetId === undefined ? record.fileset === to.fileset : record.filesetId === to.filesetId
}

/** Parses the text of a record file. Returns undefined if it is damaged. */
export function parseUploadRecord(text: string): UploadRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(UploadRecord, value) && isFilePath(value.path) ? value : undefined
  } catch {
    return undefined
  }
}

/** The message if there is no room for the files of a new upload. */
export const NO_ROOM = "There is no room left for the upload; try again when there is."

/** Replaces a record file atomically and durably. An error leaves the former record. @throws `disk_full`, and the errors of `diskFailure` */
export async function writeUploadRecord(file: string, record: UploadRecord): Promise<void> {
  await orDiskFull(NO_ROOM, async () => {
    const handle = await open(`${file}.new`, "w", 0o600)
    try {
      await handle.writeFile(JSON.stringify(record))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await replaceFile(`${file}.new`, file)
  })
}
