import type { DigestIndex } from "../digest-index.ts"
import type { FileHistory } from "../file-history.ts"
import type { PathLocks } from "../path-locks.ts"
import type { HeldVersions } from "./keep.ts"
import type { ContentChecks } from "./verifying/content-checks.ts"
import type { SystemLocks } from "./system-locks.ts"

/** State shared by the five methods of one opened local storage. */
export interface LocalContext {
  /** Absolute path of the folder. It need not exist yet. */
  readonly root: string
  readonly readChunkSize: number
  /** Number of bytes that are collected before a write. */
  readonly writeBufferSize: number
  readonly digests: DigestIndex
  readonly locks: PathLocks
  readonly newId: () => string
  readonly durable: boolean
  readonly systemLocks: SystemLocks
  /** If undefined, bytes are not compared with their digest. */
  readonly checks: ContentChecks | undefined
  /** Whether other processes also write here. */
  readonly isShared: boolean
  readonly held: HeldVersions
  /** If undefined, replaced and deleted files are not kept. */
  readonly history: FileHistory | undefined
  /** Frees space on a full disk. Returns false if nothing could be freed. */
  readonly relieve: (() => Promise<boolean>) | undefined
}
