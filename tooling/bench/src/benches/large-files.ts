import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { request as httpRequest } from "node:http"
import { finished } from "node:stream/promises"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { createFileset } from "../create-fileset.ts"
import { inParallel } from "../in-parallel.ts"
import { inTurns } from "../in-turns.ts"
import { startNginx } from "../nginx.ts"
import { timedDownload } from "../timed-download.ts"
import { memoryGrowth } from "../memory-growth.ts"

const SIZE = 2 ** 30
const PIECE = Buffer.alloc(2 ** 20, "assay")
const CHUNK = 1_048_576

const download = (url: string) => timedDownload(url, SIZE)

/** Returns the seconds to send 1 GiB to `url`, until it is acknowledged. */
async function upload(url: string): Promise<number> {
  const started = performance.now()
  const request = httpRequest(url, { method: "PUT", agent: false, headers: { "content-length": SIZE } })
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
  for (let sent = 0; sent < SIZE; sent += PIECE.length) {
    if (!request.write(PIECE)) await new Promise<void>((resolve) => request.once("drain", () => resolve()))
  }
  request.end()
  await answered
  return (performance.now() - started) / 1000
}

const speed = (seconds: number) => `${Math.round(SIZE / seconds / 2 ** 20)} MiB/s`

async function writeBigFile(file: string): Promise<void> {
  const stream = createWriteStream(file)
  for (let sent = 0; sent < SIZE; sent += PIECE.length) {
    if (!stream.write(PIECE)) await new Promise<void>((resolve) => stream.once("drain", () => resolve()))
  }
  stream.end()
  await finished(stream)
}

export const largeFiles: Bench = {
  name: "large",
  async run({ folder }) {
    const plain = join(folder, "plain.bin")
    await writeBigFile(plain)
    const server = await startAssay(join(folder, "data"))
    const bareUp = await startChildServer(bareScript("upload"), [folder])
    const bareDown = await startChildServer(bareScript("download"), [plain])
    const nginx = await startNginx(join(folder, "nginx"), folder)
    const fileset = await createFileset(server.url, "large")
    const file = `${fileset}/-/plain.bin`

    // Both sides write a new file each time: replacing a file also costs the time to free the old one.
    let uploads = 0
    const [mineUp = 0, bareUpload = 0] = await inTurns([
      () => upload(`${fileset}/-/upload-${(uploads += 1)}.bin`),
      () => upload(bareUp.url),
    ])
    await upload(file)
    const downloads = [() => download(file), () => download(bareDown.url)]
    if (nginx !== undefined) downloads.push(() => download(`${nginx.url}/plain.bin`))
    const [mineDown = 0, bareDownload = 0, nginxDownload] = await inTurns(downloads)

    const growth = await memoryGrowth(server, () => inParallel(32, 32, async () => void (await download(file))))
    const allowed = (32 * 2 * CHUNK) / 2 ** 20 + 64
    await Promise.all([server.stop(), bareUp.stop(), bareDown.stop(), nginx?.stop()])
    return [
      atLeast(
        "download 1 GiB, one connection, to bare node:http",
        bareDownload / mineDown,
        0.9,
        `${speed(mineDown)} to ${speed(bareDownload)}`,
      ),
      forComparison(
        "the same to nginx sendfile",
        nginxDownload === undefined
          ? "nginx is not installed"
          : `${(nginxDownload / mineDown).toFixed(2)} (nginx ${speed(nginxDownload)})`,
      ),
      atLeast(
        "upload 1 GiB, digested and fsynced, to a bare PUT",
        bareUpload / mineUp,
        0.7,
        `${speed(mineUp)} to ${speed(bareUpload)}`,
      ),
      atMost("RSS growth of 32 parallel downloads of 1 GiB, MiB", growth / 2 ** 20, allowed, "of the server"),
    ]
  },
}
