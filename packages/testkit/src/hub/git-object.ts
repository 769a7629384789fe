import { createHash } from "node:crypto"

/** The name that git gives an object: SHA-1 over its kind, its length and its bytes. */
export function gitObjectId(kind: "blob" | "tree" | "commit", bytes: Uint8Array | string): string {
  const content = Buffer.from(bytes)
  return createHash("sha1").update(`${kind} ${content.byteLength}\0`).update(content).digest("hex")
}

/** The text that git keeps in place of a file that lies elsewhere (Git LFS, version 1). */
export function lfsPointer(sha256: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`
}
