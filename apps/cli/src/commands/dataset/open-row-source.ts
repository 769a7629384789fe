import { statSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import type { DatasetMetadata } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { formatFileAddress } from "@assay/transfer/file-address"
import { parseFileAddress } from "../../file-address.ts"
import { openFilesetStorage } from "../../fileset-storage.ts"
import { openFolderStorage } from "@assay/storage"
import { isFolderName } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { localFailure } from "@assay/storage/paths"
import { readDatasetMetadata, type MetadataOptions } from "./read-dataset-metadata.ts"
import { createServedRows, type ServedRows } from "./served-rows.ts"

/** Files with rows, wherever they are, and what their rows are held against. */
export interface RowSource {
  readonly storage: Storage
  /** The file or folder in it that is meant; absent for all of it. */
  readonly path?: string
  readonly metadata: DatasetMetadata
  /** What a file is called on the command line. */
  readonly nameOf: (path: string) => string
  /** Of a fileset that is held against its own metadata alone. */
  readonly served?: ServedRows
}

/**
 * Opens `ws/name`, `ws/name#path`, or a folder or file of this machine. Options win over the metadata of a fileset.
 * @throws `bad_usage`, `not_found`
 */
export async function openRowSource(context: Context, written: string, options: MetadataOptions): Promise<RowSource> {
  if (isFolderName(written)) {
    return {
      ...openPlace(resolve(context.cwd, written), written),
      metadata: await readDatasetMetadata(context, options),
    }
  }
  const address = parseFileAddress(written, context)
  const { workspace, fileset, path } = address
  const client = openClient(context)
  const record = await client.filesets.get(workspace, fileset, { signal: context.signal })
  const isAsStored = options.schema === undefined && options.metadata === undefined
  return {
    storage: openFilesetStorage(client, record),
    ...(path === undefined || path === "" ? {} : { path }),
    metadata: await readDatasetMetadata(context, options, record.metadata.dataset),
    nameOf: (path) => formatFileAddress({ workspace, fileset, path }),
    ...(isAsStored ? { served: createServedRows(context, address) } : {}),
  }
}

function openPlace(place: string, written: string): Omit<RowSource, "metadata"> {
  if (isFolder(place)) {
    const folder = written.replace(/[\\/]+$/, "")
    return { storage: openFolderStorage(place), nameOf: (path) => `${folder}/${path}` }
  }
  return { storage: openFolderStorage(dirname(place)), path: basename(place), nameOf: () => written }
}

function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", place)
  }
}
