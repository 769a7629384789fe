import { createHash } from "node:crypto"
import type { RevisionFile } from "./revision-file.ts"

/** Computes the id of a commit from its files, in the order of their paths. */
export interface CommitHash {
  add(file: RevisionFile): void
  /** Returns 40 hex digits over paths, sizes and versions. */
  digest(): string
}

const COMMIT_DIGITS = 40

/** Length of the text that is hashed at once. */
const MAX_TEXT = 65_536

export function createCommitHash(): CommitHash {
  const hash = createHash("sha256")
  let text = ""
  return {
    add({ path, size, version }) {
      // Paths and ETags contain no control characters, so different lists give different texts.
      text += `${path}\0${size}\0${version}\n`
      if (text.length < MAX_TEXT) return
      hash.update(text)
      text = ""
    },
    digest: () => hash.update(text).digest("hex").slice(0, COMMIT_DIGITS),
  }
}

/** Returns the commit id of files that an earlier commit has too, by the commit before. */
export function followingId(tree: string, before: string): string {
  return createHash("sha1").update(`${tree}\n${before}`).digest("hex")
}
