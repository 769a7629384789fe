import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openLocalStorage, parseFilePath, type Storage } from "@assay/storage"
import { onTestFinished } from "vitest"
import { openRows, type OpenRowsOptions } from "../reading/open-rows.ts"
import type { Row } from "../rows/row.ts"

export interface RowFolder {
  readonly folder: string
  readonly storage: Storage
}

export type FileContent = string | Uint8Array

/** Opens a local storage with these files for the current test. `chunk` is the size of the pieces that it reads. */
export async function makeRowFolder(
  files: Readonly<Record<string, FileContent>> = {},
  chunk?: number,
): Promise<RowFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "assay-contents-")))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const storage = openLocalStorage({
    type: "local",
    path: folder,
    ...(chunk === undefined ? {} : { read_chunk_size: chunk }),
  })
  return { folder, storage }
}

/** Reads every row of one file of `storage`. */
export async function rowsOf(storage: Storage, path: string, options: OpenRowsOptions = {}): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const batch of openRows(storage, parseFilePath(path), options)) rows.push(...batch)
  return rows
}
