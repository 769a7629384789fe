import { rm } from "node:fs/promises"
import { rowFormatOf } from "@assay/contents/row-format"
import type { Registry } from "@assay/registry"
import type { RowFileReport } from "@assay/schemas"
import { openLocalStorage, parseFilePath } from "@assay/storage"
import type { Schemas } from "../contents/create-schemas.ts"
import { createTurns } from "../contents/create-turns.ts"
import { loadContents } from "../contents/load-contents.ts"
import type { FastifyReply, FastifyRequest } from "fastify"

/** Where an upload goes. */
interface RowUpload {
  readonly ws: string
  readonly name: string
  /** As it was written in the request. */
  readonly path: string
}

/**
 * Passes the bytes of an upload on, and holds their rows against the metadata of its fileset. Where that refuses invalid
 * rows, the bytes end in an error: `invalid_request` with an issue for each fault. Where it warns of them, `onInvalid` is
 * told before the bytes end. Answers with `bytes` themselves where nothing is to be checked.
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
  /** Of this server alone: Parquet, which is read from its end, waits there while it is checked. */
  readonly folder: string
  readonly newId: (prefix: string) => string
}

/** Parquet uploads that are checked at a time: each is decoded in a process. */
const PARQUET_AT_A_TIME = 4

/** Makes `EnforceRows`; what a server that died left in `folder` goes. */
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

/** How many rows of what was stored are invalid, where the fileset warns of them. */
const INVALID_ROWS_HEADER = "x-assay-invalid-rows"

/** Tells of rows that are stored though they are invalid: in the log, and to the client in a header field of `reply`. */
export function reportInvalidRows(request: FastifyRequest, reply?: FastifyReply): (report: RowFileReport) => void {
  return ({ path, schema, rows, invalid }) => {
    request.log.warn({ request: request.id, path, schema, rows, invalid }, "an upload has invalid rows")
    reply?.header(INVALID_ROWS_HEADER, String(invalid))
  }
}
