import { boundText, type AssayError } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"
import { boundIssues } from "@assay/schemas/validation"
import { logServerError } from "../errors/error-handler.ts"
import { errorResponse, toAssayError } from "../errors/error-response.ts"

/** The message for a refused token. Clients take any other 401 for a missing repository. */
const BAD_TOKEN = "Invalid credentials in Authorization header"

/** Returns the hub's code for a missing thing. Without a token, private and missing repositories look the same. */
function errorWord({ code, context }: AssayError, request: FastifyRequest): string | undefined {
  if (code === "unauthorized") {
    const isOfRepository = "ws" in (request.params as object)
    return isOfRepository && request.headers.authorization === undefined ? "RepoNotFound" : undefined
  }
  if (code !== "not_found") return undefined
  if ("revision" in context) return "RevisionNotFound"
  if ("path" in context) return "EntryNotFound"
  return "workspace" in context ? "RepoNotFound" : undefined
}

function messageOf(fault: AssayError, request: FastifyRequest): string {
  if (fault.code === "unauthorized" && request.headers.authorization !== undefined) return BAD_TOKEN
  const [issue] = fault.issues
  // The message of an error about a file names the file. Other errors are described by their issues.
  if (issue === undefined || "path" in fault.context) return boundText(fault.message)
  const [{ loc, msg } = issue] = boundIssues([issue])
  return boundText(`${loc.join(".")}: ${msg}`)
}

/** Percent-encodes characters that a header field cannot contain. */
function forHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent)
}

/** Sends an error in the hub's form. The header fields contain everything, because a response to HEAD has no body. */
export function sendHubError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toAssayError(error)
  logServerError(fault, request)
  const { status, headers } = errorResponse(fault)
  const word = errorWord(fault, request)
  const message = messageOf(fault, request)
  const { commit, url } = fault.context
  reply.code(status).headers({ ...headers, "x-error-message": forHeader(message), "x-request-id": request.id })
  if (word !== undefined) reply.header("x-error-code", word)
  if (typeof commit === "string") reply.header("x-repo-commit", commit)
  if (fault.code === "upload_idle") reply.header("connection", "close")
  const body = JSON.stringify({ error: message, code: fault.code, ...(typeof url === "string" ? { url } : {}) })
  return reply.type("application/json; charset=utf-8").send(request.method === "HEAD" ? "" : body)
}
