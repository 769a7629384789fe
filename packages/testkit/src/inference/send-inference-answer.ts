import type { ServerResponse } from "node:http"
import type { InferenceAnswer } from "./inference-answer.ts"
import type { InferenceFault } from "./inference-faults.ts"

/** Whether a fault ends the exchange before an answer is begun; if so, it has been done. */
export function isSilenced(response: ServerResponse, fault: InferenceFault | undefined): boolean {
  if (fault?.kind === "reset") {
    response.socket?.resetAndDestroy()
    return true
  }
  if (fault?.kind === "not-http") {
    response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n")
    return true
  }
  return fault?.kind === "hang"
}

/** Sends an answer, spoilt where a fault says so. */
export async function sendInferenceAnswer(
  response: ServerResponse,
  { status, headers, body }: InferenceAnswer,
  fault?: InferenceFault,
): Promise<void> {
  const length = typeof body === "string" ? { "content-length": Buffer.byteLength(body) } : {}
  response.writeHead(status, { ...headers, ...length })
  if (fault?.kind === "cut" || fault?.kind === "hang-in-body" || fault?.kind === "end-early") {
    const text = typeof body === "string" ? body : body.join("")
    // What is written must leave before the connection goes.
    await new Promise((resolve) => response.write(Buffer.from(text).subarray(0, fault.after), resolve))
    if (fault.kind === "cut") response.destroy()
    if (fault.kind === "end-early") response.end()
    return
  }
  if (typeof body === "string") {
    response.end(body)
    return
  }
  for (const piece of body) response.write(piece)
  response.end()
}
