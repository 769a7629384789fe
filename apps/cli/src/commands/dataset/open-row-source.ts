import { statSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import type { DatasetMetadata, RowProfile, RowReport } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { formatFileAddress, type FileAddress } from "@assay/transfer/file-address"
import { parseFileAddress } from "../../file-address.ts"
import { openFilesetStorage } from "@assay/transfer/fileset-storage"
import { openFolderStorage } from "@assay/storage"
import { isFolderName } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { localFailure } from "@assay/storage/paths"
import { printable } from "@assay/schemas/printable"
import { readDatasetMetadata, type MetadataOptions } from "./read-dataset-metadata.ts"

/** Files with rows, and the schemas for their rows. */
export interface RowSource {
  readonly storage: Storage
  /** The file or folder in the storage. Absent: all files. */
  readonly path?: string
  readonly metadata: DatasetMetadata
  /** Formats a file as the user writes it. */
  readonly nameOf: (path: string) => string
  /** Operations of the server, for a fileset without other schemas than its own. */
  readonly served?: ServedRows
}

/**
 * Opens `workspace/fileset`, `workspace/fileset#path`, or a folder or file of this machine. Schemas in the options replace those of
 * the fileset.
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

/** Reports about the rows of a fileset, which the server makes with its own metadata. */
export interface ServedRows {
  readonly validate: (maxIssues: number) => Promise<RowReport>
  readonly inferSchema: (rows: number) => Promise<Record<string, unknown>>
  readonly profile: () => Promise<RowProfile>
}

function createServedRows(context: Context, { workspace, fileset, path }: FileAddress): ServedRows {
  const { signal } = context
  // The server sends nothing while it reads gigabytes of rows.
  const { rows } = openClient(context, { idleTimeout: 0 })
  const files = path === undefined || path === "" ? {} : { path }
  return {
    validate: (maxIssues) => rows.validate(workspace, fileset, { ...files, max_issues: maxIssues }, { signal }),
    inferSchema: (wanted) => rows.inferSchema(workspace, fileset, { ...files, rows: wanted }, { signal }),
    profile: () => rows.profile(workspace, fileset, files, { signal }),
  }
}

/** @throws `not_a_row_file` if there are no files, because a report about no rows looks like success */
export function checkHasRows(files: readonly unknown[], dataset: string): void {
  if (files.length > 0) return
  throw new AssayError("not_a_row_file", `'${printable(dataset)}' has no file in a format that has rows.`)
}
