import { untilAborted } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import type { StoredFile, WriteOptions } from "../storage.ts"
import { gatherParts, type Part } from "./gather-parts.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { writeAtOnce } from "./write-at-once.ts"
import { writeInParts } from "./write-in-parts.ts"
import { startWriting } from "./writing.ts"

/** In one request what fits into one part, and all else in parts: either way it is there whole, or not at all. */
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
    if (first.isLast) return await writeAtOnce(store, writing, first.bytes)
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
