import { rm } from "node:fs/promises"
import { rowFormatOf } from "@assay/contents/row-format"
import type { Registry } from "@assay/registry"
import type { RowFileReport } from "@assay/schemas"
import { openLocalStorage, parseFilePath } from "@assay/storage"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Schemas } from "../contents/create-schemas.ts"
import { createTurns } from "../contents/create-turns.ts"
import { loadContents } from "../contents/load-contents.ts"

/** The file that an upload writes. */
interface RowUpload {
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

interface RowEnforcementOptions {
  readonly filesets: Registry["filesets"]
  readonly schemas: Schemas
  /** A folder for this server alone. Parquet files, which are read from their end, are stored there while they are checked. */
  readonly folder: string
  readonly newId: (prefix: string) => string
}

/** Maximum number of Parquet uploads that are checked at a time. Each is decoded in a process of its own. */
const PARQUET_AT_A_TIME = 4

/** Creates `EnforceRows`. Deletes files that a crashed server left in `folder`. */
export async function openRowEnforcement({
  filesets,
  schemas,
  folder,
  newId,
}: RowEnforcementOptions): Promise<EnforceRows> {
  await rm(folder, { recursive: true, force: true })
  const storage = openLocalStorage({ type: "local", path: folder }, { durable: false })
  const turns = createTurns(PARQUET_AT_A_TIME)
  const never = new AbortController().signal
  return async ({ ws, name, path }, bytes, onInvalid) => {
    if (rowFormatOf(path) === undefined) return bytes
    const { metadata } = await filesets.get(ws, name)
    if ((metadata.dataset?.enforce ?? "off") === "off") return bytes
    const { checkUploadRows } = await loadContents()
    return checkUploadRows(bytes, {
      path: parseFilePath(path),
      metadata: metadata.dataset,
      schemas: await schemas.of(ws),
      scratch: {
        storage,
        path: parseFilePath(`${newId("rows")}.parquet`),
        turn: (work) => turns.run(never, work),
      },
      onReport(report) {
        if (metadata.dataset?.enforce === "warn" && report.invalid > 0) onInvalid(report)
      },
    })
  }
}

/** The number of invalid rows in the stored file, if the fileset warns about them. */
const INVALID_ROWS_HEADER = "x-assay-invalid-rows"

/** Returns a function that reports invalid rows of a stored file: in the log, and in a header field of `reply`. */
export function reportInvalidRows(request: FastifyRequest, reply?: FastifyReply): (report: RowFileReport) => void {
  return ({ path, schema, rows, invalid }) => {
    request.log.warn({ request: request.id, path, schema, rows, invalid }, "an upload has invalid rows")
    reply?.header(INVALID_ROWS_HEADER, String(invalid))
  }
}
