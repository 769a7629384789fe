import { createHash } from "node:crypto"

export interface LfsPointer {
  /** Git's id of the pointer as a blob. */
  readonly gitId: string
  /** Bytes of its text. */
  readonly size: number
}

/** The pointer that git keeps in the place of a file (Git LFS specification, version 1). */
export function lfsPointer(sha256: string, size: number): LfsPointer {
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`
  const gitId = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex")
  return { gitId, size: text.length }
}
