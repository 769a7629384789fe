import {
  AssayError,
  type CreateFileset,
  DEFAULT_SIGNATURE_PATH,
  type Fileset,
  invalidRequest,
  type SignatureMode,
  type SignatureStatus,
} from "@assay/schemas"
import { type FilePath, parseFilePath, type Storage } from "@assay/storage"
import type { FilesetsContext } from "../filesets-context.ts"
import { parseJson } from "@assay/database"
import { openAt, type StorageToOpen } from "../storages/open-storage.ts"

/** The findings about the signature of a fileset's files. */
export interface FilesetSignature {
  readonly mode: SignatureMode
  /** Path of the signature in the fileset. */
  readonly path: string
  /** The finding when the fileset was created. */
  readonly status: SignatureStatus
}

/** Reads signatures. The registry does not know their form. */
export interface SignatureChecks {
  /** Says what a signature says of the names of the files. Files are not read. */
  check(storage: Storage, path: FilePath, signal: AbortSignal | undefined): Promise<SignatureStatus>
  /**
   * Returns a storage whose whole reads fail if a file is not the one that was signed.
   * @throws `bad_signature` if nobody who is trusted has signed
   */
  guard(storage: Storage, path: FilePath): Promise<Storage>
}

/**
 * Checks the signature that a new fileset asks for. Undefined if it asks for none.
 * @throws `bad_signature` if it is required and not verified; `invalid_request` without storage that can have files
 */
export async function checkSignature(
  context: FilesetsContext,
  { signature: mode, signature_path, storage }: CreateFileset,
  location: StorageToOpen,
  signal: AbortSignal | undefined,
): Promise<FilesetSignature | undefined> {
  if (mode === undefined) {
    if (signature_path === undefined) return undefined
    throw invalidRequest(
      ["body", "signature_path"],
      "`signature_path` needs `signature`: required or report",
      "missing",
    )
  }
  if ((storage ?? undefined) === undefined) {
    const message = "`signature` is for storage that has files already; name it in `storage`"
    throw invalidRequest(["body", "signature"], message, "storage_missing")
  }
  const checks = requireChecks(context)
  const path = parseFilePath(signature_path ?? DEFAULT_SIGNATURE_PATH)
  const opened = await openAt(context, location, { signal })
  const status = await checks.check(opened.storage, path, signal)
  if (mode === "report" || status.state === "verified") return { mode, path, status }
  throw new AssayError("bad_signature", `The fileset requires a signature. ${status.reason ?? status.state}`, {
    context: { path, state: status.state, differing: status.differing },
  })
}

/** Returns the storage of a fileset so that it reads only files that were signed, if it requires that. */
export async function guardSigned(
  context: FilesetsContext,
  storage: Storage,
  written: string | null,
): Promise<Storage> {
  const signature = written === null ? undefined : parseSignature(written)
  return signature?.mode === "required" ? requireChecks(context).guard(storage, parseFilePath(signature.path)) : storage
}

/** Returns the fields of a record for the column of a fileset. */
export function signatureFieldsOf(
  written: string | null,
): Pick<Fileset, "signature" | "signature_path" | "signature_status"> {
  if (written === null) return {}
  const { mode, path, status } = parseSignature(written)
  return { signature: mode, signature_path: path, signature_status: status }
}

function parseSignature(written: string): FilesetSignature {
  return parseJson<FilesetSignature>(written)
}

function requireChecks({ signatureChecks }: FilesetsContext): SignatureChecks {
  if (signatureChecks !== undefined) return signatureChecks
  throw new AssayError("unsupported", "This registry was opened without a way to verify signatures of models.")
}
