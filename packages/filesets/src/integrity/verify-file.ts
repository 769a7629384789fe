import { createHash } from "node:crypto"
import { isAssayError, messageOf } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { Damage } from "./integrity.ts"

/** Maximum number of attempts to read a file that a server replaces meanwhile. */
const ATTEMPTS = 5

export interface FileToVerify {
  readonly storage: Storage
  readonly path: FilePath
  /** Returns the recorded digests of all versions of the path. */
  readonly recorded: () => Promise<readonly string[]>
  readonly onBytes: (count: number) => void
  readonly signal: AbortSignal
}

/** The result of comparing a file with its record. `gone`: it was deleted after it was listed. */
export type Verdict = "same" | "unverified" | "gone" | Pick<Damage, "kind" | "detail">

/** Reads a file and compares its SHA-256 with the record. A file that changes during the read is read again. */
export async function verifyFile(file: FileToVerify): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    try {
      const verdict = await verifyOnce(file)
      if (verdict !== "again") return verdict
      if (attempt === ATTEMPTS) return "unverified"
    } catch (error) {
      file.signal.throwIfAborted()
      if (isAssayError(error, "not_found")) return "gone"
      if (isAssayError(error, "storage_changed") && attempt < ATTEMPTS) continue
      const message = messageOf(error)
      // The storage itself compares complete reads with its digests.
      if (isAssayError(error, "content_damaged")) return { kind: "damaged", detail: message }
      return { kind: "unreadable", detail: `${message} Check the disk, and restore the file from a backup.` }
    }
  }
}

async function verifyOnce({ storage, path, recorded, onBytes, signal }: FileToVerify): Promise<Verdict | "again"> {
  const { file, bytes, release } = await storage.read(path, { signal })
  const hash = createHash("sha256")
  for await (const piece of bytes) {
    hash.update(piece)
    onBytes(piece.byteLength)
    release?.(piece)
  }
  const digest = hash.digest("hex")
  if (file.sha256 === digest) return "same"
  const digests = file.sha256 === null ? await recorded() : [file.sha256]
  if (digests.includes(digest)) return "same"
  if (digests.length === 0) return "unverified"
  // The result is final only if the file was not written since.
  const now = await storage.stat(path, { signal })
  if (now.etag !== file.etag || now.sha256 !== file.sha256) return "again"
  const advice = `Write the file again from where it came, or restore it from a backup.`
  return file.sha256 === null
    ? {
        kind: "changed",
        detail: `It has the SHA-256 ${digest}, and ${digests.join(" or ")} is on record: it was changed or cut short outside the server. ${advice}`,
      }
    : { kind: "damaged", detail: `It has the SHA-256 ${digest} instead of ${file.sha256}. ${advice}` }
}
