import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkUploadRows } from "@assay/contents"
import type { DatasetMetadata } from "@assay/schemas"
import { openLocalStorage, parseFilePath, type FilePath } from "@assay/storage"
import type { Context } from "../../context.ts"
import { localSchemas } from "../../local-schemas.ts"
import type { TransferFile } from "@assay/transfer"

export interface FileRows {
  /** Path of the file in the fileset. */
  readonly path: FilePath
  readonly file: TransferFile
  readonly dataset: DatasetMetadata
  readonly signal: AbortSignal
}

/**
 * Reads a file and checks its rows against the schemas of a fileset, as the server does with an upload.
 * @throws `invalid_request` with one issue per fault
 */
export async function checkFileRows(context: Context, { path, file, dataset, signal }: FileRows): Promise<void> {
  // Parquet is read from its end, so the file must be on this machine.
  const folder = await mkdtemp(join(tmpdir(), "assay-rows-"))
  try {
    const storage = openLocalStorage({ type: "local", path: folder }, { durable: false })
    const bytes = checkUploadRows(file.stream(0, signal), {
      path,
      metadata: dataset,
      schemas: localSchemas(context),
      scratch: { storage, path: parseFilePath("rows.parquet") },
      signal,
    })
    for await (const _piece of bytes) signal.throwIfAborted()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
