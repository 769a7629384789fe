import { rm } from "node:fs/promises"
import type { Fileset, RowFileReport } from "@assay/schemas"
import { type FilePath, openLocalStorage, parseFilePath } from "@assay/storage"
import { rowFormatOf } from "../rows/row-format.ts"
import { createTurns } from "@assay/isolation"
import type { Schemas } from "./workspace-schemas.ts"

/** The file that an upload writes. */
interface RowUpload {
  /** Its fileset, as the request found it. */
  readonly fileset: Pick<Fileset, "workspace" | "metadata">
  readonly path: FilePath
}

/**
 * Passes on the bytes of an upload, and validates their rows by the metadata of the fileset. If `enforce` is `reject`, invalid
 * rows end the bytes with `invalid_request` and an issue for each error. If it is `warn`, calls `onInvalid` before the end of
 * the bytes. Returns `bytes` itself if there is nothing to check.
 * @throws `schema_too_costly`
 */
export type EnforceRows = (
  upload: RowUpload,
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (report: RowFileReport) => void,
) => Promise<AsyncIterable<Uint8Array>>

export interface RowEnforcementOptions {
  readonly schemas: Schemas
  /** A folder that only this process uses. Parquet files are stored there while they are checked, because they are read from their end. */
  readonly folder: string
  readonly newId: (prefix: string) => string
}

/** Maximum number of Parquet uploads that are checked at a time. Each is decoded in a process of its own. */
const PARQUET_AT_A_TIME = 4

/** Creates `EnforceRows`. Deletes files that a crashed server left in `folder`. */
export async function openRowEnforcement(options: RowEnforcementOptions): Promise<EnforceRows> {
  const { schemas, folder, newId } = options
  await rm(folder, { recursive: true, force: true })
  const storage = openLocalStorage({ type: "local", path: folder }, { durable: false })
  const turns = createTurns(PARQUET_AT_A_TIME)
  const never = new AbortController().signal
  return async ({ fileset, path }, bytes, onInvalid) => {
    if (rowFormatOf(path) === undefined) return bytes
    const { dataset } = fileset.metadata
    if ((dataset?.enforce ?? "off") === "off") return bytes
    const { checkUploadRows } = await import("../validate/check-upload-rows.ts")
    return checkUploadRows(bytes, {
      path,
      metadata: dataset,
      schemas: await schemas.of(fileset.workspace),
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
