import type { DigestIndex } from "../digest-index.ts"
import type { PathLocks } from "../path-locks.ts"

/** What the five methods of one opened local storage share. */
export interface LocalContext {
  /** The folder, absolute. It need not be there yet. */
  readonly root: string
  readonly readChunkSize: number
  readonly writeBufferSize: number
  readonly digests: DigestIndex
  readonly locks: PathLocks
  readonly newId: () => string
  readonly durable: boolean
  /** Where the locks between processes are; undefined: hidden in the root. */
  readonly lockFolder: string | undefined
  /** Whether other processes write here too. */
  readonly isShared: boolean
}
