import { request as httpRequest } from "node:http"

const PIECE = Buffer.alloc(2 ** 20, "assay")

/** Returns the seconds to send `size` bytes to `url`, until they are acknowledged. */
export async function timedUpload(url: string, size: number): Promise<number> {
  const started = performance.now()
  const request = httpRequest(url, { method: "PUT", agent: false, headers: { "content-length": size } })
  const answered = new Promise<void>((resolve, reject) => {
    request.on("error", reject)
    request.on("response", (response) => {
      response
        .resume()
        .on("end", () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
        )
    })
  })
  for (let sent = 0; sent < size; sent += PIECE.length) {
    if (!request.write(PIECE)) await new Promise<void>((resolve) => request.once("drain", () => resolve()))
  }
  request.end()
  await answered
  return (performance.now() - started) / 1000
}
