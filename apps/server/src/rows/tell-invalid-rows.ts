import type { RowFileReport } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"

/** How many rows of what was stored are invalid, where the fileset warns of them. */
export const INVALID_ROWS_HEADER = "x-assay-invalid-rows"

/** Tells of rows that are stored though they are invalid: in the log, and to the client in a header field of `reply`. */
export function tellInvalidRows(request: FastifyRequest, reply?: FastifyReply): (report: RowFileReport) => void {
  return ({ path, schema, rows, invalid }) => {
    request.log.warn({ request: request.id, path, schema, rows, invalid }, "an upload has invalid rows")
    reply?.header(INVALID_ROWS_HEADER, String(invalid))
  }
}
