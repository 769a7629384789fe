import { hubErrorCode, hubErrorMessage } from "@assay/hub"
import type { FastifyReply, FastifyRequest } from "fastify"
import { logServerError } from "../errors/error-handler.ts"
import { errorResponse, toAssayError } from "../errors/error-response.ts"

/** Percent-encodes characters that a header field cannot contain. */
function forHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent)
}

const BASIC = 'Basic realm="assay"'

/** Sends an error in the hub's form. The header fields contain everything, because a response to HEAD has no body. */
export function sendHubError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toAssayError(error, request)
  logServerError(fault, request)
  const { status, headers } = errorResponse(fault)
  const failed = {
    hasToken: request.headers.authorization !== undefined,
    isOfRepository: "ws" in (request.params as object),
  }
  const code = hubErrorCode(fault, failed)
  const message = hubErrorMessage(fault, failed)
  const { commit, url } = fault.context
  const isLfs = request.url.includes("/info/lfs/")
  reply.code(status).headers({ ...headers, "x-error-message": forHeader(message), "x-request-id": request.id })
  // Git LFS asks for a user name and a password if one of these says Basic.
  if (isLfs && fault.code === "unauthorized") reply.headers({ "www-authenticate": BASIC, "lfs-authenticate": BASIC })
  if (code !== undefined) reply.header("x-error-code", code)
  if (typeof commit === "string") reply.header("x-repo-commit", commit)
  if (fault.code === "upload_idle") reply.header("connection", "close")
  // Git LFS shows its user `message`.
  const lfs = isLfs ? { message } : {}
  const body = JSON.stringify({
    error: message,
    ...lfs,
    code: fault.code,
    ...(typeof url === "string" ? { url } : {}),
  })
  return reply.type("application/json; charset=utf-8").send(request.method === "HEAD" ? "" : body)
}
