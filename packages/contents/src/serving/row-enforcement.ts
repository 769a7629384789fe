import { rm } from "node:fs/promises"
import type { DatasetMetadata, RowFileReport } from "@assay/schemas"
import { openLocalStorage, parseFilePath } from "@assay/storage"
import { rowFormatOf } from "../rows/row-format.ts"
import { createTurns } from "./turns.ts"
import type { Schemas } from "./workspace-schemas.ts"

/** The file that an upload writes. */
interface RowUpload {
  /** The workspace and the name of its fileset. */
  readonly ws: string
  readonly name: string
  /** The path as it is in the request. */
  readonly path: string
}

/**
 * Passes on the bytes of an upload, and validates their rows by the metadata of the fileset. If `enforce` is `reject`, invalid
 * rows end the bytes with `invalid_request` and an issue for each error. If it is `warn`, calls `onInvalid` before the end of
 * the bytes. Returns `bytes` itself if there is nothing to check.
 * @throws `not_found`, `bad_path`, `schema_too_costly`
 */
export type EnforceRows = (
  upload: RowUpload,
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (report: RowFileReport) => void,
) => Promise<AsyncIterable<Uint8Array>>

export interface RowEnforcementOptions {
  readonly filesets: {
    /** @throws `not_found` */
    get(ws: string, name: string): Promise<{ readonly metadata: { readonly dataset?: DatasetMetadata } }>
  }
  readonly schemas: Schemas
  /** A folder that only this process uses. Parquet files are stored there while they are checked, because they are read from their end. */
  readonly folder: string
  readonly newId: (prefix: string) => string
}

/** Maximum number of Parquet uploads that are checked at a time. Each is decoded in a process of its own. */
const PARQUET_AT_A_TIME = 4

/** Creates `EnforceRows`. Deletes files that a crashed server left in `folder`. */
export async function openRowEnforcement(options: RowEnforcementOptions): Promise<EnforceRows> {
  const { filesets, schemas, folder, newId } = options
  await rm(folder, { recursive: true, force: true })
  const storage = openLocalStorage({ type: "local", path: folder }, { durable: false })
  const turns = createTurns(PARQUET_AT_A_TIME)
  const never = new AbortController().signal
  return async ({ ws, name, path }, bytes, onInvalid) => {
    if (rowFormatOf(path) === undefined) return bytes
    const { dataset } = (await filesets.get(ws, name)).metadata
    if ((dataset?.enforce ?? "off") === "off") return bytes
    const { checkUploadRows } = await import("../upload/check-upload-rows.ts")
    return checkUploadRows(bytes, {
      path: parseFilePath(path),
      metadata: dataset,
      schemas: await schemas.of(ws),
      scratch: {
        storage,
        path: parseFilePath(`${newId("rows")}.parquet`),
        turn: (work) => turns.run(never, work),
      },
      onReport(report) {
        if (dataset?.enforce === "warn" && report.invalid > 0) onInvalid(report)
      },
    })
  }
}
