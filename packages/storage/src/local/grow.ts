import { unlink } from "node:fs/promises"
import { folderOf, joinPath, nameOf, type FilePath } from "../file-path.ts"
import type { GrowOptions, GrownFile } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { onDisk } from "./errors.ts"
import { makeFolder } from "./folders/create-and-remove.ts"
import type { Folder } from "./folders/folder.ts"
import { createNewFile } from "./writing/new-file.ts"
import { relieved } from "./writing/relieved.ts"
import { writeBytes } from "./writing/write-bytes.ts"

/** Writes a new file that has its name from the beginning: see `grow` of `Storage`. */
export async function growFile(
  local: LocalContext,
  path: FilePath,
  bytes: AsyncIterable<Uint8Array>,
  options: GrowOptions,
): Promise<GrownFile> {
  const onThisDisk = <T>(work: () => Promise<T>) => onDisk("write", path, work)
  const folder = await onThisDisk(() => makeFolder(local, folderOf(path)))
  try {
    return await growIn(local, folder, { ...options, path, bytes, onDisk: onThisDisk })
  } finally {
    await folder.close()
  }
}

interface Growth extends GrowOptions {
  readonly path: FilePath
  readonly bytes: AsyncIterable<Uint8Array>
  readonly onDisk: <T>(work: () => Promise<T>) => Promise<T>
}

async function growIn(local: LocalContext, folder: Folder, growth: Growth): Promise<GrownFile> {
  const { path, onDisk: onThisDisk, every: syncEvery, isDue } = growth
  const at = folder.at(nameOf(path))
  const file = await onThisDisk(async () => createNewFile(at))
  let isKnown = false
  let named: Promise<void> | undefined

  async function onDurable(size: number): Promise<void> {
    if (local.durable) await onThisDisk(() => (named ??= local.locks.coalesce(folder.real, () => folder.sync())))
    isKnown = true
    await growth.onDurable(size)
  }

  try {
    const { size, sha256 } = await writeBytes(growth.bytes, relieved(file, local.relieve), {
      bufferSize: local.writeBufferSize,
      durable: local.durable,
      disposable: growth.disposable,
      onDisk: onThisDisk,
      marks: { isDue, syncEvery, onDurable },
    })
    await onDurable(size)
    return { size, sha256, location: joinPath(folder.real, nameOf(path)) }
  } catch (error) {
    if (!isKnown) await unlink(at).catch(() => {})
    throw error
  } finally {
    file.close()
  }
}
