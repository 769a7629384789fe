import { Type, type Static } from "@sinclair/typebox"
import { STORAGE_ID_PATH } from "@assay/filesets"

/** The first entry of an archive. It distinguishes a backup from other archives. */
export const HEADER_PATH = "assay-backup.json"
/** SHA-256 and path of every entry between the header and this one, in the format of `sha256sum`. */
export const SUMS_PATH = "SHA256SUMS"
/** The last entry. An archive without it is cut short. */
export const MANIFEST_PATH = "manifest.json"

export const DATABASE_PATH = "registry.db"
export const KEYS_PATH = "encryption-keys"
export const TOKENS_PATH = "tokens.json"

/** The id that the storage shares with the database. Absent in archives of older versions. */
export const STORAGE_ID_ENTRY = `storage/${STORAGE_ID_PATH}`

export const BackupHeader = Type.Object({
  format: Type.Literal("assay-backup"),
  format_version: Type.Literal(1),
  created_at: Type.String(),
  /** The version of Assay that wrote the archive. */
  version: Type.String(),
})
export type BackupHeader = Static<typeof BackupHeader>

export const BackupManifest = Type.Object({
  ...BackupHeader.properties,
  /** Whether the archive holds the records. It does not hold those of a shared database. */
  database: Type.Boolean(),
  keys: Type.Boolean(),
  tokens: Type.Boolean(),
  secrets: Type.Integer(),
  filesets: Type.Integer(),
  files: Type.Integer(),
  bytes: Type.Integer(),
  /** SHA-256 of SHA256SUMS. */
  sums_sha256: Type.String(),
  /** Sentences about data that is stored elsewhere and has to be backed up there. */
  not_included: Type.Array(Type.String()),
})
export type BackupManifest = Static<typeof BackupManifest>

/** The files of filesets in an archive. The manifest counts those of the server too. */
export interface FilesetFiles {
  readonly files: number
  readonly bytes: number
}

const FILESET_FILE = /^storage\/filesets\/[^/]+\/[^/]+\/./
const JOURNAL = /^evaluation\/jobs\/[^/]+\/[^/]+\.jsonl$/

export function isFilesetFile(path: string): boolean {
  return FILESET_FILE.test(path)
}

/** Returns whether a backup can have an entry with this path. */
export function isBackupPath(path: string): boolean {
  if ([DATABASE_PATH, KEYS_PATH, TOKENS_PATH, STORAGE_ID_ENTRY].includes(path)) return true
  const segments = path.split("/")
  const isPlain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..")
  return isPlain && !/[\0\\\n]/.test(path) && (isFilesetFile(path) || JOURNAL.test(path))
}
