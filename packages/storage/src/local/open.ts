import { isAbsolute, resolve } from "node:path"
import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  type LocalStorageConfiguration,
} from "@assay/schemas"
import { createMemoryDigestIndex, type DigestIndex } from "../digest-index.ts"
import type { FileHistory } from "../file-history.ts"
import { quotePath } from "../file-path.ts"
import { createPathLocks, type PathLocks } from "../path-locks.ts"
import { STORAGE_CAPABILITIES, type Storage } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { deleteFile } from "./delete.ts"
import { openKeptBytes } from "./history/kept-bytes.ts"
import { systemPath } from "./folders/root.ts"
import { growFile } from "./grow.ts"
import { keepFile } from "./keep.ts"
import { listFiles, listLevel } from "./list.ts"
import { readFile, statFile } from "./read.ts"
import { createSystemLocks, type SystemLocks } from "./system-locks.ts"
import type { ContentChecks } from "./verifying/content-checks.ts"
import { writeFile } from "./write.ts"
import { TEMPORARY_PREFIX } from "./writing/temporary-file.ts"

export interface LocalStorageOptions {
  /** Stores the SHA-256 of written files. Default: in memory, for the lifetime of this storage. */
  readonly digests?: DigestIndex | undefined
  /** Locks shared by all storages of a process whose folders may overlap. Default: locks of this storage. */
  readonly locks?: PathLocks | undefined
  /**
   * Creates names for temporary files. Default: a counter, which is sufficient if only one storage at a time uses the
   * folder.
   */
  readonly newId?: (() => string) | undefined
  /** Whether a write resolves only when a power failure can't undo it. Default true. */
  readonly durable?: boolean | undefined
  /**
   * Locks for conditional writes, shared by all processes that write to the same files. Default: lock files in a hidden
   * folder inside the storage's folder.
   */
  readonly systemLocks?: SystemLocks | undefined
  /** Compares files that are read whole with their digest. Default: nothing is compared. */
  readonly checks?: ContentChecks | undefined
  /**
   * Whether other processes write here at the same time. If so, every write and delete takes a lock, so that none can
   * happen between the check and the write of another process. Default false: only conditional writes take a lock.
   */
  readonly isShared?: boolean | undefined
  /** Records the versions whose bytes are kept when they are replaced or deleted. Default: none. */
  readonly history?: FileHistory | undefined
  /** Frees space when the disk is full, once for each write that fails. Returns false if it freed nothing. */
  readonly relieve?: (() => Promise<boolean>) | undefined
}

/**
 * Opens the files below a local folder. Nothing is accessed yet. The first write creates the folder.
 * @throws `storage_not_allowed` for a relative path
 */
export function openLocalStorage(config: LocalStorageConfiguration, options: LocalStorageOptions = {}): Storage {
  const local = localContext(config, options)
  return {
    type: "local",
    capabilities: STORAGE_CAPABILITIES.local,
    stat: (path) => statFile(local, path),
    list: (listOptions = {}) => listFiles(local, listOptions),
    level: (levelOptions) => listLevel(local, levelOptions),
    read: (path, readOptions = {}) => readFile(local, path, readOptions),
    write: (path, bytes, writeOptions = {}) => writeFile(local, path, bytes, writeOptions),
    delete: (path, deleteOptions = {}) => deleteFile(local, path, deleteOptions),
    grow: (path, bytes, growOptions) => growFile(local, path, bytes, growOptions),
    keep: (path, change) => keepFile(local, path, change),
    kept: openKeptBytes(local),
  }
}

/** Maximum number of bytes of a write. Files of 4 MiB and more are stored 15 to 30 % faster in such pieces than in pieces of 16 MiB. */
const LARGEST_WRITE = 1_048_576

function localContext(config: LocalStorageConfiguration, options: LocalStorageOptions): LocalContext {
  if (!isAbsolute(config.path)) {
    const message = `Local storage needs an absolute path, not ${quotePath(config.path)}.`
    throw new AssayError("storage_not_allowed", message, { context: { storage: "local", path: config.path } })
  }
  const root = resolve(config.path)
  return {
    root,
    readChunkSize: config.read_chunk_size ?? DEFAULT_READ_CHUNK_SIZE,
    writeBufferSize: Math.min(config.write_buffer_size ?? DEFAULT_WRITE_BUFFER_SIZE, LARGEST_WRITE),
    digests: options.digests ?? createMemoryDigestIndex(),
    locks: options.locks ?? createPathLocks(),
    newId: options.newId ?? countingIds(),
    durable: options.durable ?? true,
    systemLocks: options.systemLocks ?? createSystemLocks(systemPath(root, `${TEMPORARY_PREFIX}locks`)),
    isShared: options.isShared ?? false,
    checks: options.checks,
    held: new Map(),
    history: options.history,
    relieve: options.relieve,
  }
}

function countingIds(): () => string {
  let next = 0
  return () => String(next++)
}
