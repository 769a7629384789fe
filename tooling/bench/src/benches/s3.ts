import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { atLeast, type Bench } from "../bench.ts"
import type { ChildServer } from "../child-server.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import { scattered } from "../filesets/fileset-names.ts"
import { inParallel } from "../measure/in-parallel.ts"
import { inTurns } from "../measure/in-turns.ts"
import { compareLoads } from "../measure/request-load.ts"
import { timedDownload } from "../measure/timed-download.ts"
import { timedUpload } from "../measure/timed-upload.ts"
import { startS3, type S3Server } from "../s3/start-s3.ts"

const SIZE = 2 ** 30
const COUNT = 4000
const PARALLEL = 16
const SMALL = 4096
const BUCKET = "/s3/default.files"

interface Doors {
  readonly s3: S3Server
  readonly plain: ChildServer
  /** The path of the files of the fileset. */
  readonly base: string
}

/** The door of S3 beside the routes of files. Both are the same server, once with tokens and signatures and once without. */
export const s3Door: Bench = {
  name: "s3",
  async run({ folder, part }) {
    const s3 = await startS3(join(folder, "s3"))
    const plain = await startAssay(join(folder, "plain"))
    try {
      await fetch(s3.server.url + s3.presign("PUT", BUCKET), { method: "PUT" })
      const { pathname } = new URL(await createFileset(plain.url, "files"))
      const doors = { s3, plain, base: `${pathname}/-` }
      await part("large", () => largeFiles(doors))
      await part("small", () => smallFiles(doors))
    } finally {
      await s3.server.stop()
      await plain.stop()
    }
  },
}

const speed = (seconds: number) => `${Math.round(SIZE / seconds / 2 ** 20)} MiB/s`
const ratio = (ours: string, theirs: string) => `${ours} to ${theirs}`

async function largeFiles({ s3: { server, presign }, plain, base }: Doors) {
  let count = 0
  const [put, plainPut] = await inTurns([
    () => timedUpload(server.url + presign("PUT", `${BUCKET}/large-${(count += 1)}`), SIZE),
    () => timedUpload(`${plain.url}${base}/large-${count}`, SIZE),
  ])
  const [get, plainGet] = await inTurns([
    () => timedDownload(server.url + presign("GET", `${BUCKET}/large-1`), SIZE),
    () => timedDownload(`${plain.url}${base}/large-1`, SIZE),
  ])
  const does = "To the same request without a signature to the routes of files."
  return [
    atLeast({ work: "S3 PUT of 1 GiB", does }, plainPut / put, 0.9, ratio(speed(put), speed(plainPut))),
    atLeast({ work: "S3 GET of 1 GiB", does }, plainGet / get, 0.9, ratio(speed(get), speed(plainGet))),
  ]
}

async function smallFiles({ s3: { server, presign }, plain, base }: Doors) {
  let turns = 0
  const pathsOf = (turn: number) => Array.from({ length: COUNT }, (_, at) => `/part-${at % 50}/${turn}-${at}`)
  const [put, plainPut] = await inTurns([
    async () =>
      putFiles(
        server.url,
        pathsOf((turns += 1)).map((path) => presign("PUT", BUCKET + path)),
      ),
    async () =>
      putFiles(
        plain.url,
        pathsOf(turns).map((path) => base + path),
      ),
  ])
  const signed = pathsOf(1).map((path) => presign("GET", BUCKET + path))
  const unsigned = pathsOf(1).map((path) => base + path)
  const load = (url: string, paths: readonly string[]) => ({
    url,
    connections: PARALLEL,
    pathOf: (index: number) => paths[Math.floor(scattered(index) * COUNT)] ?? "",
  })
  const [get, plainGet] = await compareLoads([load(server.url, signed), load(plain.url, unsigned)])
  const does = "By presigned URLs, to the same requests without a signature to the routes of files."
  const rate = (seconds: number) => `${Math.round(COUNT / seconds)}/s`
  const rates = ratio(`${Math.round(get.rate)}/s`, `${Math.round(plainGet.rate)}/s`)
  return [
    atLeast(
      { work: "S3 PUT of 4 KiB files, 16 in parallel", does },
      plainPut / put,
      0.5,
      ratio(rate(put), rate(plainPut)),
    ),
    atLeast({ work: "S3 GET of 4 KiB files, 16 in parallel", does }, get.rate / plainGet.rate, 0.45, rates),
  ]
}

/** Returns the seconds to write a file to each path. */
async function putFiles(server: string, paths: readonly string[]): Promise<number> {
  const pool = new Pool(server, { connections: PARALLEL })
  const body = randomBytes(SMALL)
  const seconds = await inParallel(paths.length, PARALLEL, async (index) => {
    const path = paths[index] ?? ""
    const answer = await pool.request({ method: "PUT", path, body })
    if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  })
  await pool.close()
  return seconds
}
