import { Type, type Static } from "@sinclair/typebox"

/** What is kept of an upload in progress, beside its bytes. */
export const UploadRecord = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  /** The name that it had when the upload began. */
  fileset: Type.String(),
  /** Absent in records of older versions. A name can become another fileset's while an upload is under way. */
  filesetId: Type.Optional(Type.String()),
  path: Type.String(),
  /** Bytes that the whole file has. */
  length: Type.Integer(),
  /** Digest that the whole file must have, lower-case hex. */
  sha256: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer(),
  /** Where a checksummed piece began whose checksum was not compared yet: what lies behind it does not count. */
  unverifiedFrom: Type.Union([Type.Integer(), Type.Null()]),
  /** The file is in its fileset, and the bytes here are gone. */
  completed: Type.Boolean(),
})
export type UploadRecord = Static<typeof UploadRecord>
