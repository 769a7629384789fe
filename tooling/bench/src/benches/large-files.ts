import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench, type Measurement } from "../bench.ts"
import { startChildServer, type ChildServer } from "../child-server.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import { inParallel } from "../measure/in-parallel.ts"
import { inTurns } from "../measure/in-turns.ts"
import { startNginx } from "../nginx.ts"
import { timedDownload } from "../measure/timed-download.ts"
import { timedUpload } from "../measure/timed-upload.ts"
import { memoryGrowth } from "../measure/memory-growth.ts"

const SIZE = 2 ** 30
const SMALLER = 2 ** 28
const PIECE = Buffer.alloc(2 ** 20, "assay")
const CHUNK = 1_048_576

const download = (url: string) => timedDownload(url, SIZE)

const speed = (seconds: number, size = SIZE) => `${Math.round(size / seconds / 2 ** 20)} MiB/s`

async function writeBigFile(file: string): Promise<void> {
  const stream = createWriteStream(file)
  for (let sent = 0; sent < SIZE; sent += PIECE.length) {
    if (!stream.write(PIECE)) await new Promise<void>((resolve) => stream.once("drain", () => resolve()))
  }
  stream.end()
  await finished(stream)
}

/** Measures uploads. Every upload writes a new file: replacing a file also costs the time to free the old one. */
async function uploads(fileset: string, folder: string): Promise<readonly Measurement[]> {
  const overlapping = await startChildServer(bareScript("upload"), [folder, "overlapping"])
  const inTurn = await startChildServer(bareScript("upload"), [folder, "in-turn"])
  let count = 0
  const ours = (size: number) => timedUpload(`${fileset}/-/upload-${(count += 1)}.bin`, size)
  // The smaller ones first: a virtual disk that was written much before may be slower than both.
  const [smaller, bareSmaller] = await inTurns([() => ours(SMALLER), () => timedUpload(inTurn.url, SMALLER)], 9)
  const [large, bareLarge] = await inTurns([() => ours(SIZE), () => timedUpload(overlapping.url, SIZE)])
  await Promise.all([overlapping.stop(), inTurn.stop()])
  return [
    atLeast(
      {
        work: "upload 1 GiB",
        does: "Digested and fsynced, to a node:http handler that hashes each part while it is written, and fsyncs.",
      },
      bareLarge / large,
      0.7,
      `${speed(large)} to ${speed(bareLarge)}`,
    ),
    atLeast(
      {
        work: "upload 256 MiB",
        does: "To a node:http handler that hashes each part first, then writes it, and fsyncs.",
      },
      bareSmaller / smaller,
      1.2,
      `${speed(smaller, SMALLER)} to ${speed(bareSmaller, SMALLER)}`,
    ),
  ]
}

/** Measures downloads of a file that was uploaded before. */
async function downloads(server: ChildServer, file: string, folder: string): Promise<readonly Measurement[]> {
  const bare = await startChildServer(bareScript("download"), [join(folder, "plain.bin")])
  const nginx = await startNginx(join(folder, "nginx"), folder)
  const [ours, theirs, byNginx] = await inTurns([
    () => download(file),
    () => download(bare.url),
    async () => (nginx === undefined ? Number.NaN : download(`${nginx.url}/plain.bin`)),
  ])
  const growth = await memoryGrowth(server, () => inParallel(32, 32, async () => void (await download(file))))
  await Promise.all([bare.stop(), nginx?.stop()])
  return [
    atLeast(
      {
        work: "download 1 GiB",
        does: "One connection, compared with its digest, to a piped read stream of node:http.",
      },
      theirs / ours,
      0.9,
      `${speed(ours)} to ${speed(theirs)}`,
    ),
    forComparison(
      { work: "the same, to nginx", does: "With sendfile: the bytes never enter a process." },
      nginx === undefined ? "not installed" : `${(byNginx / ours).toFixed(2)} (${speed(ours)} to ${speed(byNginx)})`,
    ),
    atMost(
      {
        work: "memory of 32 downloads, MiB",
        does: "Growth of the server's resident memory during 32 parallel downloads of 1 GiB.",
      },
      growth / 2 ** 20,
      (32 * 2 * CHUNK) / 2 ** 20 + 64,
      "two chunks a reader, and 64",
    ),
  ]
}

export const largeFiles: Bench = {
  name: "large",
  async run({ folder, part }) {
    await writeBigFile(join(folder, "plain.bin"))
    const server = await startAssay(join(folder, "data"))
    const fileset = await createFileset(server.url, "large")
    const file = `${fileset}/-/plain.bin`
    try {
      await part("uploads", () => uploads(fileset, folder))
      await timedUpload(file, SIZE)
      await part("downloads", () => downloads(server, file, folder))
    } finally {
      await server.stop()
    }
  },
}
