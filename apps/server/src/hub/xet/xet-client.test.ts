import { createHash, randomBytes } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { createRepo, downloadFile, listFiles, uploadFiles } from "@huggingface/hub"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type TestHub } from "../../testing/start-hub.ts"

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const bytesOf = async (blob: Blob | null) => Buffer.from(await (blob ?? new Blob([])).arrayBuffer())

let hub: TestHub
let wire: { readonly method: string; readonly path: string; readonly bytes: number }[] = []
/** The answers to questions for chunks. */
let answered: Response[] = []
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub[Symbol.asyncDispose]())

/** Records what the client sends. */
const recorded: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const body = await request.clone().arrayBuffer()
  const { pathname } = new URL(request.url)
  wire.push({ method: request.method, path: pathname, bytes: body.byteLength })
  const answer = await hub.fetchAs("editor")(request)
  if (pathname.includes("/v1/chunks/")) answered.push(answer)
  return answer
}
const sent = (part: string) => wire.filter(({ path }) => path.includes(part))
const bytesOfXorbs = () => sent("/v1/xorbs/").reduce((sum, { bytes }) => sum + bytes, 0)

/** Returns the bytes of a file of `safetensors` with numbers, which compress after they were grouped, and text, which compresses as it is. */
function safetensors(count: number): Buffer {
  const numbers = Float32Array.from({ length: count }, (_, index) => 1 + Math.sin(index) / 1000)
  const text = Buffer.from("the same words again and again; ".repeat(20_000))
  const size = numbers.byteLength
  const head = JSON.stringify({
    weight: { dtype: "F32", shape: [count], data_offsets: [0, size] },
    text: { dtype: "U8", shape: [text.length], data_offsets: [size, size + text.length] },
  })
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(head.length))
  return Buffer.concat([length, Buffer.from(head), Buffer.from(numbers.buffer), text])
}

describe("the JavaScript client of the hub, which sends files as chunks", () => {
  const repo = { type: "model", name: "default/weights" } as const
  const params = () => ({ repo, hubUrl: hub.url, fetch: recorded, accessToken: "hf_unused" })
  const read = async (path: string) => bytesOf(await downloadFile({ ...params(), path }))
  const upload = (files: Readonly<Record<string, Buffer>>) => {
    wire = []
    answered = []
    const contents = Object.entries(files).map(([path, bytes]) => ({
      path,
      content: new Blob([new Uint8Array(bytes)]),
    }))
    return uploadFiles({ ...params(), files: contents })
  }
  const model = safetensors(500_000)

  it(
    "uploads a file that every other way of reading shows with its bytes and digest",
    verifies("hub.xet-upload"),
    async () => {
      await createRepo(params())
      await upload({ "model.safetensors": model })
      expect(sent("/v1/xorbs/")).toHaveLength(1)
      // The chunks were compressed in both ways.
      expect(bytesOfXorbs()).toBeLessThan(0.9 * model.length)
      expect(sent("/hf/lfs/")).toEqual([])
      expect(sha256(await read("model.safetensors"))).toBe(sha256(model))
      const [listed] = await Array.fromAsync(listFiles({ ...params(), recursive: true }))
      expect(listed).toMatchObject({ path: "model.safetensors", size: model.length, lfs: { oid: sha256(model) } })
      const plain = await hub.server.call(
        "HEAD",
        "/apis/files/v2/workspaces/default/filesets/weights/-/model.safetensors",
        {
          headers: { authorization: `Bearer ${hub.token("viewer")}` },
        },
      )
      expect(plain.status).toBe(200)
    },
  )

  it("keeps no chunk twice once all of its files are committed", verifies("hub.xet-once"), async () => {
    const folder = join(hub.server.running.dataFolder, "uploads")
    expect(await readdir(folder)).toEqual([])
  })

  it(
    "uploads many files in a commit, small ones in one xorb, equal ones once",
    verifies("hub.xet-upload"),
    async () => {
      const files = Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`part-${index}.bin`, randomBytes(30_000 + index)]),
      )
      const large = randomBytes(5_000_000)
      await upload({ ...files, "large.bin": large, "copy.bin": large, "notes.md": Buffer.from("# Notes") })
      for (const [path, bytes] of Object.entries({ ...files, "large.bin": large, "copy.bin": large })) {
        expect([path, sha256(await read(path))]).toEqual([path, sha256(bytes)])
      }
      expect(bytesOfXorbs()).toBeLessThan(6_000_000)
    },
  )

  it("sends only what is new of a file with some changes", verifies("hub.xet-known"), async () => {
    const first = randomBytes(12_000_000)
    await upload({ "base.bin": first })
    expect(bytesOfXorbs()).toBeGreaterThan(12_000_000)
    const second = Buffer.from(first)
    randomBytes(100).copy(second, 6_000_000)
    await upload({ "base.bin": second })
    expect(bytesOfXorbs()).toBeLessThan(500_000)
    expect(sha256(await read("base.bin"))).toBe(sha256(second))
    // The chunks that the second version shares with the first are in the second now. Bytes are inserted this time.
    const third = Buffer.concat([second.subarray(0, 3_000_000), randomBytes(50), second.subarray(3_000_000)])
    await upload({ "base.bin": third, "also.bin": second.subarray(0, 9_000_000) })
    expect(bytesOfXorbs()).toBeLessThan(700_000)
    expect(sha256(await read("base.bin"))).toBe(sha256(third))
    expect(sha256(await read("also.bin"))).toBe(sha256(second.subarray(0, 9_000_000)))
    await upload({ "base.bin": first })
    expect(sha256(await read("base.bin"))).toBe(sha256(first))
  })

  it("sends only what is new of a file whose first chunk changed, too", verifies("hub.xet-recent"), async () => {
    const first = randomBytes(16_000_000)
    await upload({ "head.bin": first })
    // 5 % in two places.
    const second = Buffer.from(first)
    for (const start of [0, 8_000_000]) randomBytes(400_000).copy(second, start)
    await upload({ "head.bin": second })
    expect(bytesOfXorbs()).toBeLessThan(0.08 * second.length)
    expect(sha256(await read("head.bin"))).toBe(sha256(second))
    // A client gets the latest chunks a few times, also if it asks for each of many files.
    const names = Array.from({ length: 12 }, (_, index) => `new-${index}.bin`)
    await upload(Object.fromEntries(names.map((name) => [name, randomBytes(20_000)])))
    expect(answered.filter(({ ok }) => ok)).toHaveLength(8)
    expect(answered).toHaveLength(12)
  })

  it("sends nothing of a file that the repository has under another name", verifies("hub.xet-known"), async () => {
    await upload({ "named.bin": await read("base.bin") })
    expect(bytesOfXorbs()).toBe(0)
  })

  it("sends chunks again whose file was deleted through another door", verifies("hub.xet-known"), async () => {
    const bytes = randomBytes(1_000_000)
    await upload({ "gone.bin": bytes })
    const url = `${hub.server.url}/apis/files/v2/workspaces/default/filesets/weights/-/gone.bin`
    expect((await hub.fetchAs("editor")(url, { method: "DELETE" })).status).toBeLessThan(300)
    await upload({ "back.bin": Buffer.concat([bytes, Buffer.from("end")]) })
    expect(bytesOfXorbs()).toBeGreaterThan(1_000_000)
    expect((await read("back.bin")).length).toBe(1_000_003)
  })
})
