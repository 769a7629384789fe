import { AssayError } from "@assay/schemas/errors"
import { type FileInfo, type Fileset, printable } from "@assay/schemas"
import type { Client, FileContent, ReadFileOptions } from "@assay/client"
import {
  type ByteRange,
  compareCodePoints,
  formatRange,
  parseFilePath,
  readOnly,
  type Storage,
  type StoredFile,
} from "@assay/storage"

/** Opens the files of a fileset on a server for reading. A read of a range requests only that range. */
export function openFilesetStorage(client: Client, { workspace, name, storage }: Fileset): Storage {
  return readOnly({
    type: storage.type,
    stat: async (path, options) => storedFile(await client.files.stat(workspace, name, path, options)),
    async *list({ prefix = "", after = "", signal } = {}) {
      const query = prefix === "" ? {} : { path: prefix }
      for await (const info of client.files.list(workspace, name, query, { signal })) {
        if (after !== "" && compareCodePoints(info.path, after) <= 0) continue
        yield storedFile(info)
      }
    },
    async read(path, { range, signal } = {}) {
      const asked = range && rangeOf(range)
      const content = await client.files.read(workspace, name, path, { range: asked, signal })
      if (range !== undefined && content.range === undefined) await refuseWhole(content, path)
      const file = { path, size: content.size, etag: content.etag, sha256: null, updatedAt: null }
      return { file, range: content.range, bytes: content.bytes }
    },
  })
}

function storedFile({ path, size, etag, sha256, updated_at }: FileInfo): StoredFile {
  return {
    path: parseFilePath(path),
    size,
    etag,
    sha256,
    updatedAt: updated_at === null ? null : Date.parse(updated_at),
  }
}

function rangeOf(range: ByteRange): NonNullable<ReadFileOptions["range"]> {
  if (range.kind === "suffix") return { last: range.length }
  if (range.kind === "from") return { start: range.start, end: range.end }
  throw new AssayError("range_not_satisfiable", `Invalid range: ${formatRange(range)}`)
}

/** Ends the request by leaving the loop. @throws `bad_answer` */
async function refuseWhole({ bytes }: FileContent, path: string): Promise<never> {
  for await (const _piece of bytes) break
  throw new AssayError("bad_answer", `The server sent all of '${printable(path)}' instead of the requested part.`)
}
