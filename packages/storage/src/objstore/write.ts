import { createHash } from "node:crypto"
import { linkAbort, untilAborted, type LinkedAbort } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { StoredFile, WriteOptions } from "../storage.ts"
import { checkDigest } from "../check-digest.ts"
import { objstoreTarget, type ObjstoreContext } from "./context.ts"
import { gatherParts, type Part } from "./writing/gather-parts.ts"
import { writeInOneRequest } from "./writing/write-in-one-request.ts"
import { writeInParts } from "./writing/write-in-parts.ts"

/**
 * Writes a file. A file that fits into one part is sent in one request, any other in parts. Either way it is stored
 * completely or not at all.
 */
export async function writeFile(
  store: ObjstoreContext,
  path: FilePath,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<StoredFile> {
  options.signal?.throwIfAborted()
  const writing = startWriting(store, path, options)
  const { ended, count } = writing
  const parts = gatherParts(untilAborted(bytes, ended.signal), count)
  try {
    const { value: first } = await parts.next()
    if (first === undefined) throw new TypeError("Even an empty file is one part.")
    if (first.isLast) return await writeInOneRequest(store, writing, first.bytes)
    return await writeInParts(store, writing, startingWith(first, parts))
  } finally {
    ended.end()
    await parts.return()
  }
}

async function* startingWith(first: Part, rest: AsyncIterable<Part>): AsyncGenerator<Part, void> {
  yield first
  yield* rest
}

/** A write in progress. */
export interface Writing {
  readonly path: FilePath
  readonly key: string
  readonly target: RemoteTarget
  readonly options: WriteOptions
  /** Aborts pending work. */
  readonly ended: LinkedAbort
  /** Called with every piece in order. */
  readonly count: (piece: Uint8Array) => void
  /**
   * Returns the number of bytes and their SHA-256. Called once, after the last piece.
   * @throws `checksum_mismatch`
   */
  readonly finish: () => { readonly size: number; readonly sha256: string }
}

function startWriting(store: ObjstoreContext, path: FilePath, options: WriteOptions): Writing {
  const hash = createHash("sha256")
  let size = 0
  return {
    path,
    key: store.keyPrefix + path,
    target: objstoreTarget(store, "write", path),
    options,
    ended: linkAbort(options.signal),
    count(piece) {
      hash.update(piece)
      size += piece.byteLength
    },
    finish() {
      const sha256 = hash.digest("hex")
      checkDigest({ storage: "objstore", path, sha256, expected: options.sha256 })
      return { size, sha256 }
    },
  }
}
