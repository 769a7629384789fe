import type { DigestIndex } from "../digest-index.ts"
import type { PathLocks } from "../path-locks.ts"
import type { SystemLocks } from "./system-locks.ts"

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
  readonly systemLocks: SystemLocks
  /** Whether other processes write here too. */
  readonly isShared: boolean
}
