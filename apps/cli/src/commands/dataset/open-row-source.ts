import { resolve } from "node:path"
import { chooseSchemas, openLocalRows, type LocalRows } from "@assay/contents"
import { type DatasetMetadata, printable, type RowProfile, type RowReport } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type FileAddress, formatFileAddress, openFilesetStorage, parseFileAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { localSchemas } from "../../local-schemas.ts"
import { readJsonFile } from "../read-json.ts"

/** Options that say how CSV is written. Absent options are detected. */
export interface CsvOptions {
  readonly delimiter?: string
  readonly encoding?: string
  readonly quotes?: string
  readonly decimal?: string
}

/** Options with schemas for rows: files with JSON or YAML, or `-` for stdin. */
export interface MetadataOptions extends CsvOptions {
  readonly schema?: string
  readonly metadata?: string
}

/** Files with rows, and the schemas for their rows. */
export interface RowSource extends Omit<LocalRows, "path"> {
  /** A file, or a folder with files. Absent: all files. */
  readonly path?: string
  readonly metadata: DatasetMetadata
  /** Operations of the server, for a fileset without other schemas than its own. */
  readonly served?: ServedRows
}

/**
 * Opens `workspace/fileset`, `workspace/fileset#path`, or a folder or file of this machine. Schemas in the options replace those of
 * the fileset.
 * @throws `bad_usage`, `not_found`
 */
export async function openRowSource(context: Context, written: string, options: MetadataOptions): Promise<RowSource> {
  if (isLocal(context, written)) {
    return {
      ...openLocalRows(resolve(context.cwd, written), written),
      metadata: await readSchemas(context, options),
    }
  }
  const address = parseFileAddress(written, defaultWorkspace(context))
  const { workspace, fileset, path } = address
  const client = openClient(context)
  const record = await client.filesets.get(workspace, fileset, { signal: context.signal })
  const isAsStored = options.schema === undefined && options.metadata === undefined && csvOf(options) === undefined
  return {
    storage: openFilesetStorage(client, record),
    ...(path === undefined || path === "" ? {} : { path }),
    metadata: await readSchemas(context, options, record.metadata.dataset),
    nameOf: (path) => formatFileAddress({ workspace, fileset, path }),
    ...(isAsStored ? { served: createServedRows(context, address) } : {}),
  }
}

/** Reads the files of the options. @throws `bad_usage` for a file that can't be read or used */
async function readSchemas(context: Context, options: MetadataOptions, stored?: DatasetMetadata) {
  const read = async (option: "schema" | "metadata") => {
    const file = options[option]
    if (file === undefined) return undefined
    return { name: `--${option} '${printable(file)}'`, value: await readJsonFile(context, `--${option}`, file, true) }
  }
  const metadata = await read("metadata")
  const given = { metadata, schema: await read("schema"), csv: csvOf(options), stored }
  return chooseSchemas(given, { schemas: localSchemas(context), signal: context.signal })
}

/** Returns the settings of CSV in the options; undefined if there are none. */
function csvOf({ delimiter, encoding, quotes, decimal }: CsvOptions) {
  const value = {
    ...(delimiter === undefined ? {} : { delimiter: delimiter === "\\t" ? "\t" : delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(quotes === undefined ? {} : { quotes }),
    ...(decimal === undefined ? {} : { decimal }),
  }
  const names = Object.keys(value)
  return names.length === 0 ? undefined : { name: names.map((name) => `--${name}`).join(", "), value }
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
