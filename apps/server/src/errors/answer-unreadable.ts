import type { Socket } from "node:net"
import { AssayError } from "@assay/schemas"
import { errorAnswer } from "./error-response.ts"

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
}

/** Answers what is no HTTP, or not in time, and ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const { body } = errorAnswer(new AssayError("bad_request", `The request can't be read as HTTP: ${error.message}.`))
  const text = JSON.stringify(body)
  const status = STATUS_LINES[error.code ?? ""] ?? "400 Bad Request"
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n${text}`)
}
