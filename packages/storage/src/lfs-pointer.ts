/** The text that git LFS stores in a repository instead of a large file. */
export interface LfsPointer {
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string
  /** Number of bytes of the file. */
  readonly size: number
}

/** A pointer is at most this long (git-lfs, docs/spec.md). */
export const MAX_LFS_POINTER_BYTES = 1024

const FIRST_LINE = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\r?\n/
const OID = /^oid sha256:([0-9a-f]{64})\r?$/m
const SIZE = /^size ([0-9]{1,15})\r?$/m

/** Returns the pointer that a file contains, or undefined if it is not one. `beginning` is the first kibibyte, or the whole file. */
export function parseLfsPointer(beginning: Uint8Array): LfsPointer | undefined {
  if (beginning[0] !== 118 || beginning[1] !== 101) return undefined
  const text = new TextDecoder().decode(beginning.subarray(0, MAX_LFS_POINTER_BYTES))
  const sha256 = OID.exec(text)?.[1]
  const size = SIZE.exec(text)?.[1]
  if (!FIRST_LINE.test(text) || sha256 === undefined || size === undefined) return undefined
  return { sha256, size: Number(size) }
}

/** Formats the pointer that git stores instead of a file (Git LFS specification, version 1). All of its characters are ASCII. */
export function formatLfsPointer({ sha256, size }: LfsPointer): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`
}

/** Says what is wrong with a file that is a pointer, and what to do, as the end of a sentence about the file. */
export function lfsPointerFault({ size }: LfsPointer): string {
  return `is a pointer of git LFS, not the file itself (${size.toLocaleString("en-US")} bytes); run 'git lfs pull' in the clone of its repository`
}
