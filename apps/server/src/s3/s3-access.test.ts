import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createTestToken } from "../testing/create-tokens.ts"
import { callS3, signS3, type TestAccessKey } from "../testing/sign-s3.ts"
import { startS3, type S3TestServer } from "../testing/start-s3.ts"
import { FILES, startTestServer } from "../testing/start-test-server.ts"

const ROLES = ["viewer", "editor", "admin", "elsewhere"] as const
type Who = (typeof ROLES)[number]

let s3: S3TestServer
const keys: Partial<Record<Who, TestAccessKey & { readonly token: string }>> = {}
beforeAll(async () => {
  s3 = await startS3()
  for (const role of ["viewer", "editor", "admin"] as const) keys[role] = await s3.key({ workspace: "default", role })
  keys.elsewhere = await s3.key({ workspace: "hidden", role: "admin" })
  await as("editor", "PUT", "/s3/default.a/file", "x")
})
afterAll(() => s3[Symbol.asyncDispose]())

const keyOf = (who: Who) => keys[who] ?? { access_key: "none", secret: "none" }
const as = (who: Who, method: string, path: string, body = "", headers: Readonly<Record<string, string>> = {}) =>
  callS3({ server: s3.server, key: keyOf(who) }, method, path, { body, headers })

const DELETION = "<Delete><Object><Key>none</Key></Object></Delete>"
const COMPLETION =
  "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>"
const SOURCE = { "x-amz-copy-source": "default.a/file" }

/** Every operation on a fileset of `default`, and what it returns to whoever may read, and to whoever may write. */
const OPERATIONS: readonly (readonly [string, string, string?, Readonly<Record<string, string>>?])[] = [
  ["HEAD", "/s3/default.a"],
  ["GET", "/s3/default.a"],
  ["GET", "/s3/default.a/?list-type=2"],
  ["GET", "/s3/default.a?location="],
  ["GET", "/s3/default.a?versioning="],
  ["GET", "/s3/default.a/file"],
  ["HEAD", "/s3/default.a/file"],
]
const WRITES: readonly (readonly [number, string, string, string?, Readonly<Record<string, string>>?])[] = [
  [200, "PUT", "/s3/default.a/written", "x"],
  [200, "PUT", "/s3/default.a/copied", "", SOURCE],
  [204, "DELETE", "/s3/default.a/none"],
  [200, "POST", "/s3/default.a?delete=", DELETION],
  [200, "POST", "/s3/default.a/multi?uploads="],
  [404, "PUT", "/s3/default.a/multi?partNumber=1&uploadId=none", "x"],
  [404, "PUT", "/s3/default.a/multi?partNumber=1&uploadId=none", "", SOURCE],
  [404, "POST", "/s3/default.a/multi?uploadId=none", COMPLETION],
  [404, "DELETE", "/s3/default.a/multi?uploadId=none"],
  [404, "GET", "/s3/default.a/multi?uploadId=none"],
  [200, "GET", "/s3/default.a?uploads="],
  [409, "PUT", "/s3/default.a"],
  [409, "DELETE", "/s3/default.a"],
]

describe("an access key", () => {
  it("may read with every role in the workspace, and sees nothing of others", verifies("s3.access-key"), async () => {
    for (const who of ROLES) {
      for (const [method, path, body, headers] of OPERATIONS) {
        const { status } = await as(who, method, path, body, headers)
        expect([who, method, path, status]).toEqual([who, method, path, who === "elsewhere" ? 404 : 200])
      }
      const { text } = await as(who, "GET", "/s3")
      expect([...text.matchAll(/<Name>([^<]+)/g)].map(([, name]) => name)).toEqual([
        who === "elsewhere" ? "hidden.a" : "default.a",
      ])
    }
  })

  it("may write as an editor or admin of the workspace only", verifies("s3.access-key"), async () => {
    for (const who of ROLES) {
      for (const [expected, method, path, body, headers] of WRITES) {
        const { status, text } = await as(who, method, path, body, headers)
        const refused = who === "viewer" ? 403 : who === "elsewhere" ? 404 : expected
        expect([who, method, path, status]).toEqual([who, method, path, refused])
        if (who === "viewer") expect(text).toContain("<Code>AccessDenied</Code>")
        if (who === "elsewhere") expect(text).toContain("<Code>NoSuchBucket</Code>")
      }
    }
    // A copy needs the right to read its source too.
    const { status } = await as("elsewhere", "PUT", "/s3/hidden.a/copied", "", SOURCE)
    expect(status).toBe(404)
  })

  it("ends with its token, and its secret is stored nowhere", verifies("s3.access-key"), async () => {
    const key = await s3.key({ workspace: "default", role: "viewer" })
    const read = () => callS3({ server: s3.server, key }, "GET", "/s3/default.a/file")
    expect((await read()).status).toBe(200)
    const headers = { authorization: `Bearer ${s3.root}` }
    expect((await s3.server.call("DELETE", `/v1/tokens/${key.access_key}`, { headers })).status).toBe(200)
    const revoked = await read()
    expect([revoked.status, revoked.text]).toEqual([403, expect.stringContaining("<Code>InvalidAccessKeyId</Code>")])
    const file = await readFile(`${s3.server.folder}/data/tokens.json`, "utf8")
    for (const { secret, token } of Object.values(keys)) {
      expect(file).not.toContain(secret)
      expect(s3.server.log()).not.toContain(secret)
      expect(secret).not.toContain(token)
    }
    expect(new Set(Object.values(keys).map(({ secret }) => secret)).size).toBe(ROLES.length)
  })

  it("of another server with other encryption keys does not fit", verifies("s3.access-key"), async () => {
    const { secret } = keyOf("viewer")
    await using other = await startS3()
    const { access_key } = await other.key({ workspace: "default", role: "viewer" })
    const answer = await callS3({ server: other.server, key: { access_key, secret } }, "GET", "/s3")
    expect(answer.text).toContain("<Code>SignatureDoesNotMatch</Code>")
  })

  it(
    "fits after the encryption keys were rotated, until the old one is removed",
    verifies("s3.access-key"),
    async () => {
      const named = (name: string) => `${name}:${Buffer.alloc(32, name).toString("base64")}`
      const folder = await mkdtemp(join(tmpdir(), "assay-s3-"))
      onTestFinished(() => rm(folder, { recursive: true }))
      const status = async (keysOfServer: string, key?: TestAccessKey) => {
        await using one = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ENCRYPTION_KEYS: keysOfServer }, folder)
        const { token } = await createTestToken(one, "root", { workspace: "*", role: "admin" })
        const headers = { authorization: `Bearer ${token}` }
        const json = { name: "s3", grants: [{ workspace: "*", role: "viewer" }], s3: true }
        const made = key ?? ((await one.call("POST", "/v1/tokens", { json, headers })).json as TestAccessKey)
        return { made, status: (await callS3({ server: one, key: made }, "GET", "/s3")).status }
      }
      const { made, status: before } = await status(named("old"))
      const both = await status(`${named("new")},${named("old")}`, made)
      const removed = await status(named("new"), made)
      expect([before, both.status, removed.status]).toEqual([200, 200, 403])
    },
  )
})

describe("a request to the S3 endpoint", () => {
  const path = "/s3/default.a/file"
  const host = () => new URL(s3.server.url).host
  const codeOf = (text: string) => /<Code>(\w+)/.exec(text)?.[1]

  it(
    "is refused without a signature, with a bearer token, of another time, or with unsigned headers",
    verifies("s3.signature"),
    async () => {
      const send = async (headers: Readonly<Record<string, string>>) => {
        const { status, text } = await s3.server.call("GET", path, { headers })
        return [status, codeOf(text)]
      }
      const key = keyOf("viewer")
      const at = (now: number) => signS3("GET", path, {}, { ...key, host: host(), now }).headers
      expect(await send({})).toEqual([403, "AccessDenied"])
      expect(await send({ authorization: `Bearer ${s3.root}` })).toEqual([403, "AccessDenied"])
      expect(await send(at(Date.now() - 14 * 60_000))).toEqual([200, undefined])
      for (const minutes of [16, -16]) {
        expect(await send(at(Date.now() + minutes * 60_000))).toEqual([403, "RequestTimeTooSkewed"])
      }
      expect(await send({ ...at(Date.now()), "x-amz-copy-source": "default.a/x" })).toEqual([403, "AccessDenied"])
      expect(await send({ ...at(Date.now()), host: "other.example" })).toEqual([403, "SignatureDoesNotMatch"])
    },
  )

  it("waits after ten failures within a minute, but valid signatures pass", verifies("s3.signature"), async () => {
    await using other = await startS3()
    const key = await other.key({ workspace: "default", role: "viewer" })
    const send = (given: TestAccessKey) => callS3({ server: other.server, key: given }, "GET", "/s3/default.a")
    for (let count = 0; count < 10; count += 1) expect((await send({ ...key, secret: "wrong" })).status).toBe(403)
    const refused = await send({ ...key, access_key: "none" })
    expect([refused.status, codeOf(refused.text)]).toEqual([429, "SlowDown"])
    expect((await send(key)).status).toBe(200)
  })

  it("needs no signature without auth", async () => {
    await using open = await startTestServer()
    expect((await open.call("PUT", "/s3/default.a")).status).toBe(200)
    expect((await callS3({ server: open, key: keyOf("viewer") }, "PUT", path, { body: "any key" })).status).toBe(200)
    expect((await open.call("GET", path)).text).toBe("any key")
    const foreign = await open.call("PUT", path, { body: "x", headers: { origin: "https://evil.example" } })
    expect([foreign.status, codeOf(foreign.text)]).toEqual([403, "CrossSite"])
  })

  it("leaves the same records and limits as every other door", verifies("s3.enforce"), async () => {
    await using limited = await startS3({ ASSAY_MAX_UPLOAD_BYTES: "10" })
    const key = await limited.key({ workspace: "default", role: "editor" })
    const send = (method: string, to: string, body = "") =>
      callS3({ server: limited.server, key }, method, to, { body })
    expect((await send("PUT", "/s3/default.a/ok", "0123456789")).status).toBe(200)
    const large = await send("PUT", "/s3/default.a/large", "0123456789+")
    expect([large.status, codeOf(large.text)]).toEqual([413, "EntityTooLarge"])
    const { text } = await send("POST", "/s3/default.a/multi?uploads=")
    const id = /<UploadId>([^<]+)/.exec(text)?.[1]
    const part = (number: number, body: string) =>
      send("PUT", `/s3/default.a/multi?partNumber=${number}&uploadId=${id}`, body)
    expect([
      (await part(1, "012345")).status,
      (await part(2, "012345")).status,
      (await part(1, "0123456789")).status,
    ]).toEqual([200, 413, 200])
    const headers = { authorization: `Bearer ${limited.root}` }
    const records = async () => (await limited.server.call("GET", "/v1/audit", { headers })).json.data as unknown[]
    const record = { action: "s3PutObject", kind: "s3", token: key.access_key, workspace: "default" }
    await expect
      .poll(records, { timeout: 10_000 })
      .toContainEqual(expect.objectContaining({ ...record, name: "a", status: 200, door: "s3" }))
    expect(await records()).toContainEqual(expect.objectContaining({ ...record, name: "a/large", status: 413 }))
  })

  it("writes no rows that the fileset refuses, also in parts and copies", verifies("s3.enforce"), async () => {
    const headers = { authorization: `Bearer ${s3.root}` }
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] }
    const metadata = { dataset: { schema, enforce: "reject" } }
    const made = await s3.server.call("POST", `${FILES}/default/filesets`, {
      json: { name: "rows", purpose: "dataset", metadata },
      headers,
    })
    expect([made.status, made.text]).toEqual([200, expect.anything()])
    await as("editor", "PUT", "/s3/default.a/bad.jsonl", '{"a":"x"}\n')
    const refused = [
      await as("editor", "PUT", "/s3/default.rows/bad.jsonl", '{"a":"x"}\n'),
      await as("editor", "PUT", "/s3/default.rows/bad.jsonl", "", { "x-amz-copy-source": "default.a/bad.jsonl" }),
    ]
    const { text } = await as("editor", "POST", "/s3/default.rows/bad.jsonl?uploads=")
    const id = /<UploadId>([^<]+)/.exec(text)?.[1]
    const part = await as("editor", "PUT", `/s3/default.rows/bad.jsonl?partNumber=1&uploadId=${id}`, '{"a":"x"}\n')
    const parts = `<Part><PartNumber>1</PartNumber><ETag>${part.headers.etag}</ETag></Part>`
    const completion = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`
    refused.push(await as("editor", "POST", `/s3/default.rows/bad.jsonl?uploadId=${id}`, completion))
    expect(refused.map(({ status, text: answer }) => [status, codeOf(answer)])).toEqual(
      refused.map(() => [422, "InvalidRequest"]),
    )
    expect((await as("editor", "GET", "/s3/default.rows")).text).not.toContain("<Key>")
    expect((await as("editor", "PUT", "/s3/default.rows/good.jsonl", '{"a":1}\n')).status).toBe(200)
  })
})
