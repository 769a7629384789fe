import type { Socket } from "node:net"
import { AssayError } from "@assay/schemas"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { errorResponse, type ErrorOptions, toAssayError } from "./error-response.ts"

const NOT_IMPLEMENTED = 501

/**
 * Logs an error if the server is at fault (status 500 and above), with the id of the request. A server that closes is not at fault,
 * and neither is one that is asked for what it does not implement.
 */
export function logServerError(fault: AssayError, request: FastifyRequest): void {
  if (fault.status < 500 || fault.status === NOT_IMPLEMENTED || fault.context["closing"] === true) return
  request.log.error({ request: request.id, err: fault.cause ?? fault, code: fault.code }, fault.message)
}

/** Sends the response to a request that failed. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toAssayError(error, request)
  logServerError(fault, request)
  const { status, headers, body } = errorResponse(fault, optionsOf(request))
  reply.code(status).headers({ ...headers, "x-request-id": request.id })
  if (fault.code === "upload_idle") reply.header("connection", "close")
  return reply.type("application/json; charset=utf-8").send(request.method === "HEAD" ? "" : JSON.stringify(body))
}

/** Returns how errors of a request are written. Addresses without a route below a base URL of OpenAI's API have its form, too. */
function optionsOf({ is404, url, routeOptions }: FastifyRequest): ErrorOptions {
  return is404 && /\/openai\/v1\//.test(url) ? { openAi: "door" } : (routeOptions.config as ErrorOptions)
}

/** Sends the page of an address without a route, or returns undefined if the address has none. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Has `app` send errors of routes, and of addresses without a route and without a page, in our form. */
export function installErrorHandlers(app: FastifyInstance, sendPage: SendPage): void {
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => {
    const sent = sendPage(request, reply)
    if (sent !== undefined) return sent
    throw new AssayError(
      "not_found",
      `There is no ${request.method} ${request.url.split("?")[0]} here; /docs lists the operations.`,
    )
  })
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
}

/** Sends an error if a request is not HTTP or did not arrive in time, and closes the connection. */
export function sendUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const { body } = errorResponse(new AssayError("bad_request", `The request can't be read as HTTP: ${error.message}.`))
  const text = JSON.stringify(body)
  const status = STATUS_LINES[error.code ?? ""] ?? "400 Bad Request"
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n${text}`)
}
