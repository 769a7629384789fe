import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { request, type IncomingMessage } from "node:http"
import { verifies, xetBodies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type TestHub } from "../../testing/start-hub.ts"

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

let hub: TestHub
let tokens: Omit<XetToken, "exp">
beforeAll(async () => {
  hub = await startHub({ ASSAY_MAX_UPLOAD_BYTES: "5000000" })
  for (const name of ["one", "two"]) await json("POST", "/api/repos/create", { name, organization: "default" })
  tokens = await tokenOf("one")
})
afterAll(() => hub[Symbol.asyncDispose]())

async function json(method: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json" }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const answer = await hub.fetchAs("editor")(`${hub.url}${path}`, init)
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as XetToken }
}
interface XetToken {
  readonly casUrl: string
  readonly accessToken: string
  readonly exp: number
}
const tokenOf = async (name: string): Promise<XetToken> =>
  (await json("GET", `/api/models/default/${name}/xet-write-token/main`)).body

async function send(path: string, body: Uint8Array, { casUrl, accessToken } = tokens) {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(`${casUrl}${path}`, { method: "POST", headers, body: new Uint8Array(body) })
  const answered = (await answer.json()) as { code?: string; error?: string; was_inserted?: boolean; result?: number }
  return { status: answer.status, ...answered }
}
const sendXorb = (hash: string, body: Uint8Array, to = tokens) => send(`/v1/xorbs/default/${hash}`, body, to)

/** Returns the status of the answer to a xorb whose bytes never come. */
async function announce(hash: string, size: number): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${tokens.accessToken}`, "content-length": size }
  const sending = request(`${tokens.casUrl}/v1/xorbs/default/${hash}`, { method: "POST", headers })
  sending.flushHeaders()
  const [{ statusCode }] = (await once(sending, "response")) as [IncomingMessage]
  sending.destroy()
  return statusCode
}

async function commit(name: string, path: string, oid: string, size: number) {
  const lines = [
    { key: "header", value: { summary: "Add" } },
    { key: "lfsFile", value: { path, algo: "sha256", oid, size } },
  ]
  const body = lines.map((line) => JSON.stringify(line)).join("\n")
  const answer = await hub.fetchAs("editor")(`${hub.url}/api/models/default/${name}/commit/main`, {
    method: "POST",
    body,
  })
  return { status: answer.status, ...((await answer.json()) as { code?: string; error?: string }) }
}

describe("a client that sends wrong chunks", () => {
  it(
    "gets a token in the header and the body, which names an address of the fileset",
    verifies("hub.xet-token"),
    async () => {
      const { headers, body } = await json("GET", "/api/datasets/default/one/xet-write-token/main?create_pr=False")
      expect(body).toMatchObject({ casUrl: expect.stringContaining("/hf/xet/default/one/"), exp: expect.any(Number) })
      expect(headers.get("x-xet-cas-url")).toBe(body.casUrl)
      expect(headers.get("x-xet-access-token")).toBe(body.accessToken)
      expect(Number(headers.get("x-xet-token-expiration"))).toBe(body.exp)
      const viewer = await hub.fetchAs("viewer")(`${hub.url}/api/models/default/one/xet-write-token/main`)
      expect(viewer.status).toBe(403)
    },
  )

  it(
    "is refused without the token, with one of another fileset, and with a changed one",
    verifies("hub.xet-token"),
    async () => {
      const { xorb, xorbHash } = xetBodies(randomBytes(1000))
      const other = await tokenOf("two")
      const attempts = ["", hub.token("editor"), other.accessToken, tokens.accessToken.replace(/.$/u, "!")]
      attempts.push(tokens.accessToken.replace("xet1.write", "xet1.read"))
      const codes: unknown[] = []
      for (const accessToken of attempts) codes.push((await sendXorb(xorbHash, xorb, { ...tokens, accessToken })).code)
      expect(codes).toEqual(["unauthorized", "unauthorized", "forbidden", "unauthorized", "unauthorized"])
    },
  )

  it(
    "is refused a xorb that is not what its hash says, and none of it is kept",
    verifies("hub.xet-verified"),
    async () => {
      const { xorb, xorbHash } = xetBodies(randomBytes(300_000))
      const cut = xorb.subarray(0, -1)
      const changed = Buffer.from(xorb)
      changed[1000] = (changed[1000] ?? 0) ^ 1
      for (const body of [cut, changed, Buffer.alloc(0), Buffer.from("XETBLOB1"), randomBytes(5000)]) {
        expect(await sendXorb(xorbHash, body)).toMatchObject({ status: 400, code: "bad_upload" })
      }
      expect(await announce(xorbHash, 70_000_000)).toBe(413)
      expect(await sendXorb("A".repeat(64), xorb)).toMatchObject({ status: 400, code: "bad_request" })
      expect(await sendXorb(xorbHash, xorb)).toMatchObject({ status: 200, was_inserted: true })
      expect(await sendXorb(xorbHash, xorb)).toMatchObject({ status: 200, was_inserted: false })
    },
  )

  it(
    "is refused chunks that unpack to more bytes than they announce, or to too many",
    verifies("hub.xet-verified"),
    async () => {
      // LZ4 of 16 MB of the same byte: the block says so in 65 KB.
      const block = Buffer.concat([
        Buffer.from([0x1f, 65, 1, 0]),
        Buffer.alloc(65_000, 255),
        Buffer.from([0, 0x10, 66]),
      ])
      const size = Buffer.alloc(4)
      size.writeUInt32LE(block.length)
      const frame = Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x40, 0x70, 0]), size, block, Buffer.alloc(4)])
      for (const announced of [131_072, 16_000_000, 0]) {
        const head = Buffer.alloc(8)
        head.writeUIntLE(frame.length, 1, 3)
        head[4] = 1
        head.writeUIntLE(announced, 5, 3)
        expect(await sendXorb("0".repeat(64), Buffer.concat([head, frame]))).toMatchObject({ code: "bad_upload" })
      }
    },
  )

  it("is refused a shard that does not follow from the chunks", verifies("hub.xet-verified"), async () => {
    const bytes = randomBytes(300_000)
    const { xorb, xorbHash, shard } = xetBodies(bytes)
    await sendXorb(xorbHash, xorb)
    const wrong = [
      { fileHash: "1".repeat(64) },
      { proof: randomBytes(32) },
      { first: 1 },
      { end: 100 },
      { first: 2, end: 1 },
      { size: 1 },
      { xorbHash: "2".repeat(64) },
    ].map((changes) => xetBodies(bytes, changes).shard)
    const bodies = [...wrong, Buffer.alloc(0), randomBytes(500), shard.subarray(0, 100), shard.subarray(0, 150)]
    const lying = Buffer.from(shard)
    lying.writeUInt32LE(0xffffffff, 48 + 36)
    for (const body of [...bodies, lying]) {
      expect(await send("/v1/shards", body)).toMatchObject({ status: 400, code: "bad_upload" })
    }
    expect(await send("/v1/shards", xetBodies(bytes, { size: 6_000_000 }).shard)).toMatchObject({ code: "too_large" })
    expect(await send("/v1/shards", shard)).toEqual({ status: 200, result: 1 })
    expect((await fetch(`${tokens.casUrl}/v2/shards`, { method: "POST", body: new Uint8Array(shard) })).status).toBe(
      404,
    )
  })

  it("can't commit chunks whose SHA-256 is another one", verifies("hub.xet-verified"), async () => {
    const bytes = randomBytes(300_000)
    const wrong = sha256(Buffer.from("other"))
    const { xorb, xorbHash, shard } = xetBodies(bytes, { sha256: wrong })
    await sendXorb(xorbHash, xorb)
    expect((await send("/v1/shards", shard)).status).toBe(200)
    expect(await commit("one", "wrong.bin", wrong, bytes.length)).toMatchObject({ code: "checksum_mismatch" })
    expect((await hub.fetchAs("viewer")(`${hub.url}/default/one/resolve/main/wrong.bin`)).status).toBe(404)
  })

  it("can't use chunks of another fileset", verifies("hub.xet-apart"), async () => {
    const bytes = randomBytes(300_000)
    const { xorb, xorbHash, shard, sha256: digest } = xetBodies(bytes)
    await sendXorb(xorbHash, xorb)
    await send("/v1/shards", shard)
    expect((await commit("one", "mine.bin", digest, bytes.length)).status).toBe(200)
    const other = await tokenOf("two")
    expect(await send("/v1/shards", shard, other)).toMatchObject({ status: 400, code: "bad_upload" })
    expect(await sendXorb(xorbHash, xorb, other)).toMatchObject({ was_inserted: true })
    expect(await commit("two", "stolen.bin", digest, bytes.length)).toMatchObject({ code: "bad_upload" })
  })
})
