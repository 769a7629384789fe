import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import type { CommitLine } from "./commit-lines.ts"
import type { CommitRequest } from "./commit-plan.ts"
import { keepObject, type CommitTarget } from "./commit-target.ts"

export interface ReceiveOptions {
  /** Largest file taken; undefined: no limit. */
  readonly maxBytes: number | undefined
  /** Is told the digest of each content that came with the commit. */
  readonly onContent: (sha256: string) => void
}

/** Reads a commit. Contents that come with it wait, like those that were sent before, under their digests. */
export async function receiveCommit(
  target: CommitTarget,
  lines: AsyncIterable<CommitLine>,
  { maxBytes, onContent }: ReceiveOptions,
): Promise<CommitRequest> {
  let title = ""
  let parent: string | undefined
  const writes = new Map<string, string>()
  const deletes = new Map<string, boolean>()
  const write = (path: string, sha256: string) => {
    deletes.delete(path)
    writes.set(path, sha256)
  }
  for await (const { key, value } of lines) {
    switch (key) {
      case "header":
        title = value.summary ?? ""
        parent = value.parentCommit
        break
      case "file": {
        const bytes = decode(value)
        if (maxBytes !== undefined && bytes.byteLength > maxBytes) {
          throw new AssayError(
            "too_large",
            `'${value.path}' is larger than ${maxBytes} bytes (ASSAY_MAX_UPLOAD_BYTES).`,
          )
        }
        const sha256 = createHash("sha256").update(bytes).digest("hex")
        if (await keep(target, bytes, sha256)) onContent(sha256)
        write(value.path, sha256)
        break
      }
      case "lfsFile":
        write(value.path, value.oid)
        break
      case "deletedFile":
        deletes.set(value.path, !writes.delete(value.path))
        break
      case "deletedFolder": {
        const folder = value.path.endsWith("/") ? value.path : `${value.path}/`
        const dropped = [...writes.keys()].filter((path) => path.startsWith(folder) && writes.delete(path))
        deletes.set(folder, dropped.length === 0)
        break
      }
    }
  }
  return { title, parent, writes, deletes }
}

function decode({ path, content, encoding = "utf-8" }: { path: string; content: string; encoding?: string }): Buffer {
  if (encoding === "base64") return Buffer.from(content, "base64")
  if (encoding === "utf-8") return Buffer.from(content)
  throw new AssayError("bad_request", `The encoding '${encoding}' of '${path}' is not taken; use base64 or utf-8.`)
}

/** Answers whether nobody sent the content before. */
async function keep(target: CommitTarget, bytes: Buffer, sha256: string): Promise<boolean> {
  const { objects, fileset } = target
  if ((await objects.size({ fileset, sha256 })) !== undefined) return false
  await keepObject(target, { sha256, size: bytes.byteLength }, once(bytes))
  return true
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
