import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { FaultsAtHand } from "./faults.ts"
import type { HubAnswer } from "./hub-answer.ts"

/** Sends an answer, with what goes wrong on the way. */
export async function sendAnswer(response: ServerResponse, answer: HubAnswer, faults: FaultsAtHand): Promise<void> {
  const { status, headers, body } = answer
  await sleep(faults("latency")?.ms ?? 0)
  const stall = faults("stall")
  if (faults("hang-up") !== undefined) {
    response.destroy()
    return
  }
  if (stall !== undefined && stall.after === undefined) return
  const early = faults("end-early")?.after
  const extra = faults("run-on")?.extra
  if (early !== undefined || extra !== undefined) {
    response.writeHead(status, headers)
    response.end(Buffer.concat([body.subarray(0, early), Buffer.alloc(extra ?? 0)]))
    return
  }
  response.writeHead(status, { ...headers, "content-length": String(body.byteLength) })
  const stop = faults("cut")?.after ?? stall?.after
  if (stop === undefined) {
    response.end(body)
    return
  }
  await new Promise<void>((resolve) => response.write(body.subarray(0, stop), () => resolve()))
  if (stall === undefined) response.destroy()
}
