import { randomBytes } from "node:crypto"
import process from "node:process"
import { createRepo, downloadFile, uploadFiles } from "@huggingface/hub"
import { startAssay } from "../assay-server.ts"
import { atMost, type Bench, type BenchContext, forComparison, type Measurement } from "../bench.ts"
import type { ChildServer } from "../child-server.ts"
import { inTurns } from "../measure/in-turns.ts"
import { timedDownload } from "../measure/timed-download.ts"
import { timedUpload } from "../measure/timed-upload.ts"

const MIB = 2 ** 20
const SIZES = [256 * MIB, 1024 * MIB] as const
const [SMALL, LARGE] = SIZES
/** The share of the bytes that change: at the beginning of each of 16 parts, so also the first chunk, which clients ask for. */
const CHANGED = 0.05
const PARTS = 16
const REPO = { type: "model", name: "default/weights" } as const

type Fetch = typeof fetch

/** Uploads of hub clients as chunks beside plain requests: their time, and what they send of changed and of equal files. */
export const xetDoor: Bench = {
  name: "xet",
  async run({ folder, part }: BenchContext) {
    const server = await startAssay(folder)
    const files = `${server.url}/apis/files/v2/workspaces/default/filesets/weights/-`
    const upload = async (path: string, bytes: Uint8Array<ArrayBuffer>, send: Fetch = fetch) => {
      const started = performance.now()
      const params = { repo: REPO, hubUrl: hubOf(server.url), fetch: send, accessToken: "hf_none" }
      await uploadFiles({ ...params, files: [{ path, content: new Blob([bytes]) }] })
      return (performance.now() - started) / 1000
    }
    const sentFor = async (path: string, bytes: Uint8Array<ArrayBuffer>) => {
      let sent = 0
      await upload(path, bytes, async (input, init) => {
        const request = new Request(input, init)
        sent += (await request.clone().arrayBuffer()).byteLength
        return fetch(request)
      })
      return sent
    }
    try {
      await createRepo({ repo: REPO, hubUrl: hubOf(server.url), accessToken: "hf_none" })
      const plain = (path: string, size: number) => timedUpload(`${files}/${path}`, size)
      await part("time", async () => {
        let round = 0
        const [chunks, whole] = await inTurns([
          () => upload(`model-${(round += 1)}.bin`, randomBytes(SMALL)),
          () => plain(`plain-${round}.bin`, SMALL),
        ])
        const [ofChunks, ofWhole] = await inTurns([
          () => timedDownload(`${files}/model-1.bin`, SMALL),
          () => timedDownload(`${files}/plain-1.bin`, SMALL),
        ])
        const put = {
          work: "Xet upload of 256 MiB",
          does: "By @huggingface/hub, which finds the chunks itself, to a PUT.",
        }
        const get = {
          work: "GET of a file that was uploaded by Xet",
          does: "To a GET of a file that was sent with PUT.",
        }
        return [forComparison(put, beside(chunks, whole)), forComparison(get, beside(ofChunks, ofWhole))]
      })
      await part("processor time", async () => {
        const rows: Measurement[] = []
        for (const size of SIZES) {
          const named = size / MIB
          const bytes = randomBytes(size)
          const chunks = await spent(server, () => upload(`cpu-${named}.bin`, bytes))
          const whole = await spent(server, () => plain(`cpu-plain-${named}.bin`, size))
          const read = await spent(server, () => downloaded(server.url, `cpu-${named}.bin`, size))
          const does =
            "Processor seconds of the server, and of the client, which finds and hashes the chunks; the server's for a PUT."
          rows.push(
            forComparison(
              { work: `Xet upload of ${named} MiB`, does },
              `${times(chunks)}; PUT ${whole.server.toFixed(1)}`,
            ),
            forComparison({ work: `Xet download of ${named} MiB`, does: "The same, for the way back." }, times(read)),
          )
        }
        return rows
      })
      await part("bytes", async () => {
        const base = randomBytes(LARGE)
        await upload("base.bin", base)
        const changed = await sentFor("changed.bin", changedCopy(base))
        const equal = await sentFor("equal.bin", base)
        const does = "Share of 1 GiB that is sent, of all requests."
        return [
          atMost({ work: "Xet upload with 5 % changed", does }, (100 * changed) / LARGE, 8, "% of the bytes"),
          atMost({ work: "Xet upload of equal content", does }, (100 * equal) / LARGE, 1, "% of the bytes"),
        ]
      })
    } finally {
      await server.stop()
    }
  },
}

const hubOf = (url: string) => `${url}/apis/files/v2/hf`

async function downloaded(url: string, path: string, size: number): Promise<void> {
  const found = await downloadFile({ repo: REPO, path, hubUrl: hubOf(url), accessToken: "hf_none" })
  let length = 0
  for await (const piece of found?.stream() ?? []) length += piece.length
  if (length !== size) throw new Error(`${path} has ${size} bytes, and ${length} came.`)
}

interface ProcessorSeconds {
  readonly server: number
  readonly client: number
}

/** Returns the processor seconds of some work, on the server and here. */
async function spent(server: ChildServer, work: () => Promise<unknown>): Promise<ProcessorSeconds> {
  const before = await server.cpuSeconds()
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return { server: (await server.cpuSeconds()) - before, client: (user + system) / 1e6 }
}

const times = ({ server, client }: ProcessorSeconds) => `${server.toFixed(1)} s, client ${client.toFixed(1)} s`
const speed = (seconds: number) => `${Math.round(SMALL / seconds / MIB)} MiB/s`
const beside = (ours: number, theirs: number) => `${speed(ours)} to ${speed(theirs)}`

/** Returns a copy in which each part has changed bytes at its beginning. */
function changedCopy(base: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const copy = Buffer.from(base)
  const size = Math.floor((base.length * CHANGED) / PARTS)
  for (let at = 0; at < PARTS; at += 1) randomBytes(size).copy(copy, Math.floor((at * base.length) / PARTS))
  return copy
}
