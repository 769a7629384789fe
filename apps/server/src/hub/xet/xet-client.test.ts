import { createHash, randomBytes } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { createRepo, downloadFile, fileDownloadInfo, listFiles, uploadFiles } from "@huggingface/hub"
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

  describe("reading files as chunks", () => {
    const files = `/apis/files/v2/workspaces/default/filesets/weights/-`
    const put = (path: string, bytes: Buffer) =>
      hub.fetchAs("editor")(`${hub.server.url}${files}/${path}`, { method: "PUT", body: new Uint8Array(bytes) })
    /** Parts that repeat, alone and beside others, are terms that overlap. */
    const parts = [randomBytes(900_000), Buffer.alloc(700_000), randomBytes(1_500_000)] as const
    const mixed = Buffer.concat([...parts, parts[0], parts[2].subarray(200_000), Buffer.alloc(300_000), parts[1]])
    const asked = (part: string) => sent(part).filter(({ method }) => method === "GET").length
    /** Returns the answer to a request for chunks with the token of a reader. */
    async function readAs(sender: "viewer" | "editor", path: string, range?: string) {
      const token = await hub.fetchAs(sender)(`${hub.url}/api/models/default/weights/xet-read-token/main`)
      const { casUrl, accessToken } = (await token.json()) as { casUrl: string; accessToken: string }
      const headers = { authorization: `Bearer ${accessToken}`, ...(range === undefined ? {} : { range }) }
      const answer = await fetch(`${casUrl}${path}`, { headers })
      return { status: answer.status, body: (await answer.json()) as Reconstruction, casUrl, headers }
    }
    interface Reconstruction {
      readonly terms: readonly { readonly hash: string }[]
      readonly offset_into_first_range: number
      readonly xorbs?: Record<string, readonly { readonly url: string }[]>
      readonly fetch_info?: Record<string, readonly { readonly url: string; readonly url_range: { end: number } }[]>
    }
    const hashOf = async (path: string) => (await fileDownloadInfo({ ...params(), path }))?.xet?.hash ?? ""

    it(
      "reads a file that came as chunks, whole and any part of it, as it reads it without Xet",
      verifies("hub.xet-read"),
      async () => {
        await upload({ "mixed.bin": mixed })
        await upload({ "mixed.bin": Buffer.concat([mixed, randomBytes(40)]) })
        await upload({ "mixed.bin": mixed })
        expect(sha256(await read("mixed.bin"))).toBe(sha256(mixed))
        expect([asked("/v2/reconstructions/"), asked("/v1/places/") > 0]).toEqual([1, true])
        const serially = await downloadFile({ ...params(), path: "mixed.bin", parallelDownloads: false })
        expect(sha256(await bytesOf(serially))).toBe(sha256(mixed))
        for (let count = 0; count < 12; count += 1) {
          const start = Math.floor(Math.random() * mixed.length)
          const end = Math.min(mixed.length, start + 1 + Math.floor(Math.random() * 10 ** (1 + (count % 7))))
          expect([start, end, sha256(await bytesOf(serially?.slice(start, end) ?? null))]).toEqual([
            start,
            end,
            sha256(mixed.subarray(start, end)),
          ])
        }
        wire = []
        const plainly = await downloadFile({ ...params(), path: "mixed.bin", xet: false })
        expect([sha256(await bytesOf(plainly)), asked("/hf/xet/")]).toEqual([sha256(mixed), 0])
      },
    )

    it("fetches only the chunks of the part that it reads", verifies("hub.xet-read"), async () => {
      const { body } = await readAs("viewer", `/v1/reconstructions/${await hashOf("mixed.bin")}`, "bytes=100000-100009")
      const [fetched] = Object.values(body.fetch_info ?? {}).flat()
      expect([body.terms.length, (fetched?.url_range.end ?? Infinity) < 140_000]).toEqual([1, true])
      expect(body.offset_into_first_range).toBeLessThanOrEqual(100_000)
    })

    it("reads files that came whole, are empty or have changed as they are", verifies("hub.xet-read"), async () => {
      await upload({ "later.bin": mixed })
      await put("whole.bin", mixed.subarray(5))
      await put("later.bin", mixed.subarray(6))
      await upload({ "empty.bin": Buffer.alloc(0) })
      wire = []
      expect(sha256(await read("whole.bin"))).toBe(sha256(mixed.subarray(5)))
      expect(sha256(await read("later.bin"))).toBe(sha256(mixed.subarray(6)))
      expect(await read("empty.bin")).toHaveLength(0)
      expect(asked("/hf/xet/")).toBe(0)
    })

    it("names the hash in the answer to HEAD, by which Python clients read", verifies("hub.xet-read"), async () => {
      const head = async (path: string) =>
        (await hub.fetchAs("viewer")(`${hub.url}/default/weights/resolve/main/${path}`, { method: "HEAD" })).headers
      const headers = await head("mixed.bin")
      expect(headers.get("x-xet-hash")).toBe(await hashOf("mixed.bin"))
      expect(headers.get("link")).toContain(`xet-read-token/main>; rel="xet-auth"`)
      expect((await head("whole.bin")).get("x-xet-hash")).toBeNull()
    })

    it("grants only what the token of the reader does", verifies("hub.xet-read-rights"), async () => {
      const nobody = await hub.fetchAs("nobody")(`${hub.url}/api/models/default/weights/xet-read-token/main`)
      expect(nobody.status).toBe(401)
      const path = `/v2/reconstructions/${await hashOf("mixed.bin")}`
      const { status, body, casUrl, headers } = await readAs("viewer", path)
      expect(status).toBe(200)
      const statusOf = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status
      expect(await statusOf(`${casUrl}${path}`)).toBe(401)
      const [place] = Object.values(body.xorbs ?? {}).flat()
      const url = place?.url ?? ""
      expect(await statusOf(url)).toBe(200)
      // A token in an address is good for this address only, and that of the header for none.
      expect(await statusOf(url.replace(/\/(\d+)\?/u, "/1?"))).toBe(403)
      expect(await statusOf(url.replace(/token=.*/u, `token=${headers.authorization.slice(7)}`))).toBe(403)
      const token = url.replace(/.*token=/u, "")
      expect(await statusOf(`${casUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).toBe(401)
      const xorb = `${casUrl}/v1/xorbs/default/${"0".repeat(64)}`
      expect(await statusOf(xorb, { method: "POST", body: "x", headers })).toBe(403)
    })

    it("refuses files and parts that do not exist", verifies("hub.xet-read"), async () => {
      const hash = await hashOf("mixed.bin")
      const statuses = [
        await readAs("viewer", `/v2/reconstructions/${"0".repeat(64)}`),
        await readAs("viewer", `/v2/reconstructions/not-a-hash`),
        await readAs("viewer", `/v2/reconstructions/${hash}`, `bytes=${mixed.length}-`),
        await readAs("viewer", `/v2/reconstructions/${hash}`, "bytes=9-1"),
      ].map(({ status }) => status)
      expect(statuses).toEqual([404, 400, 416, 416])
    })

    it(
      "goes on with a file that is replaced twice, and then deleted, with a fileset that is renamed, until the bytes are gone",
      verifies("hub.xet-read-on"),
      async () => {
        const first = randomBytes(3_000_000)
        await upload({ "running.bin": first })
        const hash = await hashOf("running.bin")
        const running = await downloadFile({ ...params(), path: "running.bin", parallelDownloads: false })
        const readOn = async (start: number) => sha256(await bytesOf(running?.slice(start) ?? null))
        const { body, casUrl, headers } = await readAs("viewer", `/v2/reconstructions/${hash}`)
        const url = Object.values(body.xorbs ?? {}).flat()[0]?.url ?? ""
        await upload({ "running.bin": randomBytes(400_000) })
        await upload({ "running.bin": randomBytes(300_000) })
        expect(await readOn(1_000_000)).toBe(sha256(first.subarray(1_000_000)))
        const editor = hub.fetchAs("editor")
        expect((await editor(`${hub.server.url}${files}/running.bin`, { method: "DELETE" })).status).toBeLessThan(300)
        const rename = (to: string, from: string) =>
          editor(`${hub.server.url}/apis/files/v2/workspaces/default/filesets/${from}`, {
            method: "PATCH",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ name: to }),
          })
        expect((await rename("renamed", "weights")).status).toBe(200)
        const again = async () => [
          (await fetch(`${casUrl}/v2/reconstructions/${hash}`, { headers })).status,
          (await fetch(url)).status,
        ]
        expect(await again()).toEqual([200, 200])
        expect((await rename("weights", "renamed")).status).toBe(200)
        expect(await readOn(2_000_000)).toBe(sha256(first.subarray(2_000_000)))
        await editor(`${hub.server.url}/apis/files/v2/workspaces/default/filesets/weights/history`, {
          method: "DELETE",
        })
        expect(await again()).toEqual([404, 404])
      },
    )
  })
})
