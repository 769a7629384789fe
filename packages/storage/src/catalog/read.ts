import type { FilePath } from "../file-path.ts"
import { openRemoteRead, type RemoteRead } from "../remote/open-remote-read.ts"
import { remoteError } from "../remote/remote-error.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import { catalogTarget } from "./asset.ts"
import { storedFile, type CatalogContext } from "./context.ts"
import { fileMissing } from "./errors.ts"
import { createFileSource } from "./file-source.ts"

export async function readFile(catalog: CatalogContext, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const read = await openRead(catalog, path, options)
  const { bytes, release, range } = read
  return { file: described(catalog, path, read), range, bytes, release }
}

/** Describes a file. It never loads a list for a single file, but uses a cached one. */
export async function statFile(catalog: CatalogContext, path: FilePath, signal?: AbortSignal): Promise<StoredFile> {
  signal?.throwIfAborted()
  const size = catalog.files.remembered()?.get(path) ?? (await measureFile(catalog, path, signal))
  return storedFile(catalog.client.asset, catalog.version, path, size)
}

/** Returns the size of a file by reading its first byte. */
export async function measureFile(catalog: CatalogContext, path: FilePath, signal?: AbortSignal): Promise<number> {
  const read = await openRead(catalog, path, { partSize: 1, signal })
  await end(read)
  return read.size
}

async function openRead(
  catalog: CatalogContext,
  path: FilePath,
  options: ReadOptions & { readonly partSize?: number },
): Promise<RemoteRead> {
  const { client, version, readChunkSize: chunkSize, addresses, files } = catalog
  options.signal?.throwIfAborted()
  const target = catalogTarget(client.asset, "read", { version, path })
  const listed = files.remembered()
  if (listed !== undefined && !listed.has(path)) throw fileMissing(target)
  const source = createFileSource({ ...catalog, addresses, path, target })
  const read = await openRemoteRead({ remote: client.remote, source, target, chunkSize, ...options })
  try {
    // A whole file that comes instead of a part may be the page of a proxy. Only its size can show it.
    const isDoubtful = read.size > 0 && read.headers["content-range"] === undefined
    const size = isDoubtful ? (await files.find(path, options.signal))?.size : listed?.get(path)
    if (size === undefined || size === read.size) return read
    const what = `${read.size} bytes came, and the catalog lists ${size}; check that no proxy in between changes answers.`
    throw remoteError("upstream_failed", target, what)
  } catch (error) {
    await end(read)
    throw error
  }
}

async function end({ bytes }: RemoteRead): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.()
}

function described({ client, version }: CatalogContext, path: FilePath, { size }: RemoteRead): StoredFile {
  return storedFile(client.asset, version, path, size)
}
