import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import type { DatasetMetadata } from "@assay/schemas"
import { openLocalStorage, parseFilePath, type FilePath } from "@assay/storage"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { checkUploadRows } from "../validate/check-upload-rows.ts"

export interface FileRowsOptions {
  /** Path of the file in the fileset. */
  readonly path: FilePath
  readonly metadata: DatasetMetadata
  readonly schemas: SchemaRunner
  /** Absolute path of the folder for temporary files, such as `/tmp`. */
  readonly temporaryFolder: string
  readonly signal: AbortSignal
}

/**
 * Reads the bytes of a file and checks its rows against the schemas of a fileset, as the server does with an upload.
 * @throws `invalid_request` with one issue per fault
 */
export async function checkFileRows(bytes: AsyncIterable<Uint8Array>, options: FileRowsOptions): Promise<void> {
  const { path, metadata, schemas, temporaryFolder, signal } = options
  // Parquet is read from its end, so the file must be on this machine.
  const folder = await mkdtemp(join(temporaryFolder, "assay-rows-"))
  try {
    const storage = openLocalStorage({ type: "local", path: folder }, { durable: false })
    const scratch = { storage, path: parseFilePath("rows.parquet") }
    const checked = checkUploadRows(bytes, { path, metadata, schemas, scratch, signal })
    for await (const _piece of checked) signal.throwIfAborted()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
