import { AssayError } from "@assay/schemas/errors"
import type { Client, FileContent, ReadFileOptions } from "@assay/client"
import type { FileInfo } from "@assay/schemas"
import type { FileAddress } from "../file-address.ts"
import { printable } from "../output/printable.ts"
import type { TransferFile } from "./transfer-side.ts"

/** A file of a fileset as one that can travel, under the path that it has on its side. */
export function createFilesetFile(
  client: Client,
  { workspace, fileset }: FileAddress,
  info: FileInfo,
  path: string,
): TransferFile {
  const { size, etag, sha256 } = info

  async function open(
    range: NonNullable<ReadFileOptions["range"]> | undefined,
    signal: AbortSignal,
  ): Promise<FileContent> {
    const options = range === undefined ? { signal } : { range, signal, ...(etag === null ? {} : { ifRange: etag }) }
    const content = await client.files.read(workspace, fileset, info.path, options)
    const isOther = content.size !== size || (etag !== null && content.etag !== null && content.etag !== etag)
    const isWhole = range !== undefined && content.range === undefined
    if (!isOther && !isWhole) return content
    await discard(content)
    throw new AssayError("storage_changed", `'${printable(path)}' changed on the server while it was read.`, {
      context: { path },
    })
  }

  async function* stream(start: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    // No range names an empty rest.
    if (start >= size && size > 0) return
    yield* (await open(start === 0 ? undefined : { start }, signal)).bytes
  }

  return {
    path,
    size,
    version: etag ?? sha256 ?? `${size}-${info.updated_at}`,
    sha256: async () => sha256,
    piece: async (start, end, signal) => {
      const isAll = start === 0 && end === size
      const { bytes } = await open(isAll ? undefined : { start, end: end - 1 }, signal)
      return collect(bytes, end - start)
    },
    stream,
  }
}

async function collect(bytes: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(length)
  let offset = 0
  for await (const piece of bytes) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}

/** Gives a body up that nobody wants; leaving the loop ends the request. */
async function discard({ bytes }: FileContent): Promise<void> {
  for await (const _piece of bytes) return
}
