import { Readable } from "node:stream"
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from "@aws-sdk/client-s3"
import { afterEach, describe, expect, it } from "vitest"
import type { FakeObjstoreOptions } from "../fake-objstore-options.ts"
import { type FakeObjstore, startFakeObjstore } from "../start-fake-objstore.ts"
import { askRaw } from "../testing/ask-raw.ts"
import { connectS3, type S3Account } from "../testing/connect-s3.ts"

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const Bucket = "files"

let server: FakeObjstore
afterEach(() => server.close())

async function start(options: FakeObjstoreOptions = {}): Promise<void> {
  server = await startFakeObjstore(options)
  server.write("a", "hello")
}

/** Returns the answer to a read with the right account, except for `changes`. */
async function refusalOf(changes: Partial<S3Account>): Promise<unknown> {
  const client = connectS3({ ...server, ...changes })
  return client.send(new GetObjectCommand({ Bucket, Key: "a" })).catch((error: unknown) => error)
}

describe("signatures of version 4", () => {
  it("are refused for another secret, with the text that was to be signed", async () => {
    await start()
    const refusal = await refusalOf({ secretAccessKey: "another" })
    expect(refusal).toBeInstanceOf(S3ServiceException)
    expect(refusal).toMatchObject({ name: "SignatureDoesNotMatch", $metadata: { httpStatusCode: 403 } })
    expect(refusal).toHaveProperty("StringToSign", expect.stringMatching(/^AWS4-HMAC-SHA256\n\d{8}T\d{6}Z\n/))
  })

  it("are refused for an unknown key and for another region, which is named", async () => {
    await start({ region: "eu-north-1" })
    expect(await refusalOf({ accessKeyId: "nobody" })).toMatchObject({
      name: "InvalidAccessKeyId",
      $metadata: { httpStatusCode: 403 },
    })
    expect(await refusalOf({ region: "us-east-1" })).toMatchObject({
      name: "AuthorizationHeaderMalformed",
      Region: "eu-north-1",
      $metadata: { httpStatusCode: 400 },
    })
  })

  it("are refused when they are more than 15 minutes old, or ahead", async () => {
    await start({ now: () => TIME })
    expect(await refusalOf({})).toMatchObject({
      name: "RequestTimeTooSkewed",
      ServerTime: "2026-01-02T03:04:05.000Z",
      $metadata: { httpStatusCode: 403 },
    })
    for (const [minutes, isRight] of [
      [-16, false],
      [-14, true],
      [14, true],
      [16, false],
    ] as const) {
      const client = connectS3(server, { systemClockOffset: TIME + minutes * 60_000 - Date.now() })
      const answer = client.send(new HeadObjectCommand({ Bucket, Key: "a" }))
      expect(await answer.then(() => true).catch(() => false)).toBe(isRight)
    }
  })

  it("are refused by a server that knows only version 2", async () => {
    await start({ signatures: ["v2"] })
    expect(await refusalOf({})).toMatchObject({ name: "InvalidRequest", $metadata: { httpStatusCode: 400 } })
  })

  it("cover the query, the headers of S3 and the path", async () => {
    await start()
    const client = connectS3(server)
    const changes: readonly ((request: { query: Record<string, string>; headers: Record<string, string> }) => void)[] =
      [
        ({ query }) => void (query["prefix"] = "b"),
        ({ headers }) => void (headers["x-amz-meta-a"] = "b"),
        ({ headers }) => void (headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD"),
        (request) => Object.assign(request, { path: "/files//" }),
      ]
    await client.send(new ListObjectsV2Command({ Bucket, Prefix: "a b+c" }))
    for (const change of changes) {
      client.middlewareStack.add(
        (next) => (args) => {
          change(args.request as Parameters<typeof change>[0])
          return next(args)
        },
        { name: "change", step: "finalizeRequest", priority: "low", override: true },
      )
      await expect(client.send(new ListObjectsV2Command({ Bucket, Prefix: "a" }))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 403 },
      })
    }
  })

  it("are needed for everything that is not public", async () => {
    await start({ buckets: { files: {}, open: { publicRead: true } } })
    server.write("a", "hello", { bucket: "open" })
    const ask = (method: string, path: string) => askRaw(server.endpoint, { method, path })
    expect((await ask("GET", "/open/a")).body.toString()).toBe("hello")
    expect((await ask("GET", "/open?list-type=2")).status).toBe(200)
    expect((await ask("DELETE", "/open/a")).status).toBe(403)
    const closed = await ask("GET", "/files/a")
    expect([closed.status, closed.body.toString()]).toEqual([403, expect.stringContaining("<Code>AccessDenied</Code>")])
  })

  it("return 400 and a page if they are missing, as Swift does", async () => {
    await start({ anonymousStatus: 400 })
    const { status, headers } = await askRaw(server.endpoint, { method: "GET", path: "/files/a" })
    expect([status, headers["content-type"]]).toEqual([400, "text/html"])
  })
})

describe("bodies under a signature of version 4", () => {
  it("are compared with their digest", async () => {
    await start()
    const client = connectS3(server)
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body: "hellO" })
        return next(args)
      },
      { step: "finalizeRequest", priority: "low" },
    )
    const put = client.send(new PutObjectCommand({ Bucket, Key: "b", Body: "hello" }))
    await expect(put).rejects.toMatchObject({ name: "XAmzContentSHA256Mismatch" })
    expect(server.objects()).toEqual(["a"])
  })

  it("need a length", async () => {
    await start()
    const put = new PutObjectCommand({ Bucket, Key: "b", Body: Readable.from([Buffer.from("hello")]) })
    await expect(connectS3(server).send(put)).rejects.toMatchObject({ name: "MissingContentLength" })
    const stream = { Body: Readable.from([Buffer.from("hello")]), ContentLength: 5 }
    await connectS3(server).send(new PutObjectCommand({ Bucket, Key: "b", ...stream }))
    expect(server.read("b").toString()).toBe("hello")
  })

  it("in frames are refused, or stored with their frames, as some servers do", async () => {
    const put = () =>
      new PutObjectCommand({ Bucket, Key: "b", Body: Readable.from([Buffer.from("hello")]), ContentLength: 5 })
    await start()
    const framing = { requestChecksumCalculation: "WHEN_SUPPORTED" } as const
    await expect(connectS3(server, framing).send(put())).rejects.toMatchObject({ name: "NotImplemented" })
    await server.close()
    await start({ awsChunked: "store-framed" })
    await connectS3(server, framing).send(put())
    expect(server.read("b").toString()).toMatch(/^5\r\nhello\r\n0\r\nx-amz-checksum-crc32:/)
  })
})
