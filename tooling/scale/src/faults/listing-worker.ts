import { parentPort } from "node:worker_threads"
import { FILES } from "../call.ts"

/** Milliseconds of one request. Undefined if the server sent no response, or an error. */
export type ListingTime = number | undefined

async function list(url: string): Promise<ListingTime> {
  const begun = performance.now()
  try {
    const response = await fetch(`${url}${FILES}?page_size=100`)
    await response.text()
    return response.ok ? performance.now() - begun : undefined
  } catch {
    return undefined
  }
}

/** Lists the filesets of each server whose URL is received, and sends back the milliseconds of the request. */
parentPort?.on("message", (url: string) => {
  void list(url).then((time) => parentPort?.postMessage(time, []))
})
