import { request as httpRequest } from "node:http"

/** Returns the seconds to read `size` bytes from `url`, with the least work that a client can do. */
export function timedDownload(url: string, size: number): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: false }, (response) => {
      let received = 0
      response.on("data", (part: Buffer) => (received += part.length))
      response.on("end", () => {
        if (received === size) resolve((performance.now() - started) / 1000)
        else reject(new Error(`${url} sent ${received} bytes instead of ${size}`))
      })
      response.on("error", reject)
    })
    request.on("error", reject).end()
  })
}
