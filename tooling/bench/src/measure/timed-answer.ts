import { request as httpRequest, type IncomingHttpHeaders } from "node:http"

export interface TimedAnswer {
  /** Milliseconds until the first byte of the body. */
  readonly firstByte: number
  /** Milliseconds until the last byte. */
  readonly total: number
  readonly bytes: number
  readonly headers: IncomingHttpHeaders
}

/** Reads an answer of any length without keeping it. @throws for any status but 200 */
export function timeAnswer(url: string): Promise<TimedAnswer> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: false }, (response) => {
      let firstByte: number | undefined
      let bytes = 0
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`))
      response.on("data", (part: Buffer) => {
        firstByte ??= performance.now() - started
        bytes += part.length
      })
      response.on("end", () => {
        const total = performance.now() - started
        resolve({ firstByte: firstByte ?? total, total, bytes, headers: response.headers })
      })
      response.on("error", reject)
    })
    request.on("error", reject).end()
  })
}
