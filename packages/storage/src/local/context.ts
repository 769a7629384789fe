import type { DigestIndex } from "../digest-index.ts"
import type { PathLocks } from "../path-locks.ts"
import type { ContentChecks } from "./verify/content-checks.ts"
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
  /** Undefined: what is read is not compared with its digest. */
  readonly checks: ContentChecks | undefined
  /** Whether other processes write here too. */
  readonly isShared: boolean
}
