import { s3ErrorCode, s3ErrorMessage, writeXmlError } from "@assay/s3"
import type { FastifyReply, FastifyRequest } from "fastify"
import { logServerError } from "../errors/error-handler.ts"
import { errorResponse, toAssayError } from "../errors/error-response.ts"

const MAX_RESOURCE = 300

/** Sends an error in the form of S3. */
export function sendS3Error(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toAssayError(error, request)
  logServerError(fault, request)
  const { status, headers } = errorResponse(fault)
  const { "www-authenticate": _bearer, ...rest } = headers
  // Clients of S3 take 403 for every refusal.
  for (const name of ["x-amz-checksum-sha256", "x-amz-checksum-type"]) reply.removeHeader(name)
  reply.code(status === 401 ? 403 : status).headers({ ...rest, "x-amz-request-id": request.id })
  if (fault.code === "upload_idle") reply.header("connection", "close")
  const body = writeXmlError({
    Code: s3ErrorCode(fault, /^[0-9a-f]{64}$/.test(String(request.headers["x-amz-content-sha256"]))),
    Message: s3ErrorMessage(fault),
    Resource: (request.url.split("?", 1)[0] ?? "").slice(0, MAX_RESOURCE),
    RequestId: request.id,
  })
  return reply.type("application/xml").send(request.method === "HEAD" ? "" : body)
}
