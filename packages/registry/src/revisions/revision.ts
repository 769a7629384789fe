import { createHash } from "node:crypto"
import type { StoredFile } from "@assay/storage"
import type { Commit, Tree, TreeFile } from "./revisions.ts"

const COMMIT_DIGITS = 40

/**
 * A stored file as trees keep it. Its ETag tells it from other versions, in listings and reads alike; a digest, which can
 * be learnt later, would not. Without an ETag there is nothing but the time.
 */
export function treeFileOf({ path, size, etag, sha256, updatedAt }: StoredFile): TreeFile {
  return { path, size, version: etag ?? String(updatedAt ?? ""), sha256 }
}

/** 40 hex digits over paths, sizes and versions. */
export function commitOf(files: readonly TreeFile[]): string {
  const hash = createHash("sha256")
  // Neither a path nor an ETag holds a control character, so no two lists look alike.
  for (const { path, size, version } of files) hash.update(`${path}\0${size}\0${version}\n`)
  return hash.digest("hex").slice(0, COMMIT_DIGITS)
}

export function treeOf(commit: Commit, files: readonly TreeFile[]): Tree {
  let byPath: Map<string, TreeFile> | undefined
  return {
    ...commit,
    files,
    get(path) {
      byPath ??= new Map(files.map((file) => [file.path, file]))
      return byPath.get(path)
    },
  }
}
