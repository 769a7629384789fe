import { randomBytes } from "node:crypto"
import { createRepo, uploadFiles } from "@huggingface/hub"
import { startAssay } from "../assay-server.ts"
import { atMost, type Bench, type BenchContext, forComparison } from "../bench.ts"
import { inTurns } from "../measure/in-turns.ts"
import { timedDownload } from "../measure/timed-download.ts"
import { timedUpload } from "../measure/timed-upload.ts"

const SIZE = 2 ** 28
const MIB = 2 ** 20
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
    const base = randomBytes(SIZE)
    const upload = async (path: string, bytes: Uint8Array<ArrayBuffer>, send: Fetch = fetch) => {
      const started = performance.now()
      const params = { repo: REPO, hubUrl: `${server.url}/apis/files/v2/hf`, fetch: send, accessToken: "hf_none" }
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
      await createRepo({ repo: REPO, hubUrl: `${server.url}/apis/files/v2/hf`, accessToken: "hf_none" })
      await part("time", async () => {
        let round = 0
        const [chunks, plain] = await inTurns([
          () => upload(`model-${(round += 1)}.bin`, randomBytes(SIZE)),
          () => timedUpload(`${files}/plain-${round}.bin`, SIZE),
        ])
        const [ofChunks, ofPlain] = await inTurns([
          () => timedDownload(`${files}/model-1.bin`, SIZE),
          () => timedDownload(`${files}/plain-1.bin`, SIZE),
        ])
        const put = {
          work: "Xet upload of 256 MiB",
          does: "By @huggingface/hub, which finds the chunks itself, to a PUT.",
        }
        const get = {
          work: "GET of a file that was uploaded by Xet",
          does: "To a GET of a file that was sent with PUT.",
        }
        return [forComparison(put, beside(chunks, plain)), forComparison(get, beside(ofChunks, ofPlain))]
      })
      await part("bytes", async () => {
        await upload("base.bin", base)
        const changed = await sentFor("changed.bin", changedCopy(base))
        const equal = await sentFor("equal.bin", base)
        const does = "Share of the file that is sent, of all requests."
        return [
          atMost({ work: "Xet upload with 5 % changed", does }, (100 * changed) / SIZE, 8, "% of the bytes"),
          atMost({ work: "Xet upload of equal content", does }, (100 * equal) / SIZE, 1, "% of the bytes"),
        ]
      })
    } finally {
      await server.stop()
    }
  },
}

const speed = (seconds: number) => `${Math.round(SIZE / seconds / MIB)} MiB/s`
const beside = (ours: number, theirs: number) => `${speed(ours)} to ${speed(theirs)}`

/** Returns a copy in which each part has changed bytes at its beginning. */
function changedCopy(base: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const copy = Buffer.from(base)
  const size = Math.floor((SIZE * CHANGED) / PARTS)
  for (let at = 0; at < PARTS; at += 1) randomBytes(size).copy(copy, Math.floor((at * SIZE) / PARTS))
  return copy
}
