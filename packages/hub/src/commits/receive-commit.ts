import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { type FilePath, parseNewFilePath } from "@assay/storage"
import { decodeBase64 } from "@assay/uploads"
import { storePending, type CommitTarget } from "./apply-commit.ts"
import type { CommitRequest } from "./commit-plan.ts"
import { dropWrites, type WriteLine } from "./drop-writes.ts"

/** A line of a commit in the hub's protocol, parsed. */
export type CommitLine =
  | {
      readonly key: "header"
      readonly value: { readonly summary?: string | undefined; readonly parentCommit?: string | undefined }
    }
  | { readonly key: "file"; readonly value: SentFile }
  | { readonly key: "lfsFile"; readonly value: { readonly path: string; readonly oid: string } }
  | { readonly key: "deletedFile" | "deletedFolder"; readonly value: { readonly path: string } }

interface SentFile {
  readonly path: string
  readonly content: string
  /** Default: `utf-8`. */
  readonly encoding?: string | undefined
}

/** Maximum number of lines of one commit, which are all in memory at its end. */
const MAX_LINES = 100_000

export interface ReceiveOptions {
  /** Maximum size of a file in bytes; undefined: no limit. */
  readonly maxBytes: number | undefined
  /** Called with the digest of each content that came within the commit. */
  readonly onContent: (sha256: string) => void
}

/**
 * Reads the lines of a commit. Stores each content within them as a pending object, as if it had been sent before.
 * @throws `too_large`, `bad_request`, `bad_path`
 */
export async function receiveCommit(
  target: CommitTarget,
  received: AsyncIterable<CommitLine>,
  { maxBytes, onContent }: ReceiveOptions,
): Promise<CommitRequest> {
  let title = ""
  let parent: string | undefined
  let line = 0
  const lines: WriteLine[] = []
  const last = new Map<string, WriteLine | undefined>()
  const files = new Map<string, boolean>()
  const folders = new Map<string, number>()
  const write = (path: FilePath, sha256: string) => {
    const written = { path, sha256, line }
    lines.push(written)
    last.set(path, written)
    files.delete(path)
  }
  for await (const { key, value } of received) {
    line += 1
    if (line > MAX_LINES) throw tooManyLines()
    switch (key) {
      case "header":
        title = value.summary ?? ""
        parent = value.parentCommit
        break
      case "file": {
        const path = parseNewFilePath(value.path)
        const bytes = decode(value)
        if (maxBytes !== undefined && bytes.byteLength > maxBytes) {
          throw new AssayError("too_large", `'${path}' is larger than ${maxBytes} bytes (ASSAY_MAX_UPLOAD_BYTES).`)
        }
        const sha256 = createHash("sha256").update(bytes).digest("hex")
        if (await storeContent(target, bytes, sha256)) onContent(sha256)
        write(path, sha256)
        break
      }
      case "lfsFile":
        write(parseNewFilePath(value.path), value.oid)
        break
      case "deletedFile":
        files.set(value.path, last.get(value.path) === undefined)
        last.set(value.path, undefined)
        break
      case "deletedFolder":
        folders.set(value.path.endsWith("/") ? value.path : `${value.path}/`, line)
        break
    }
  }
  const kept = dropWrites(lines, last, folders)
  return { title, parent, writes: kept.writes, deletes: new Map([...files, ...kept.folders]) }
}

function tooManyLines(): AssayError {
  return new AssayError("too_large", `The commit has more than ${MAX_LINES} lines; send it as several commits.`)
}

function decode({ path, content, encoding = "utf-8" }: SentFile): Buffer {
  if (encoding === "base64") {
    const bytes = decodeBase64(content)
    if (bytes !== undefined) return bytes
    throw new AssayError("bad_request", `The content of '${path}' is not base64, as its encoding says. Send it again.`)
  }
  if (encoding === "utf-8") return Buffer.from(content)
  throw new AssayError("bad_request", `The encoding '${encoding}' of '${path}' is not supported; use base64 or utf-8.`)
}

/** Stores a content, unless it is pending already. Returns whether it was new. */
async function storeContent(target: CommitTarget, bytes: Buffer, sha256: string): Promise<boolean> {
  const { objects, fileset } = target
  if ((await objects.size({ fileset, sha256 })) !== undefined) return false
  await storePending(target, { sha256, size: bytes.byteLength }, once(bytes))
  return true
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
