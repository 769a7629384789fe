import { withoutNulls } from "@assay/json"
import type { FastifyReply, FastifyRequest } from "fastify"

/** Reads null in the body of a creation as a field that is not given, as clients of the original platform write it. */
export function dropNulls(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body = withoutNulls(request.body)
  done()
}
