import type { RowFileReport } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"

/** The number of invalid rows in the stored file, if the fileset warns about them. */
const INVALID_ROWS_HEADER = "x-assay-invalid-rows"

/** Returns a function that reports invalid rows of a stored file: in the log, and in a header field of `reply`. */
export function reportInvalidRows(request: FastifyRequest, reply?: FastifyReply): (report: RowFileReport) => void {
  return ({ path, schema, rows, invalid }) => {
    request.log.warn({ request: request.id, path, schema, rows, invalid }, "an upload has invalid rows")
    reply?.header(INVALID_ROWS_HEADER, String(invalid))
  }
}
