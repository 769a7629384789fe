import { createHash } from "node:crypto"
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "./start-fake-objstore.ts"
import { generateBytes } from "./object-content.ts"
import { askRaw } from "./testing/ask-raw.ts"
import { connectS3 } from "./testing/connect-s3.ts"

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const SKEW_OF_TESTS = { systemClockOffset: TIME - Date.now() }

let server: FakeObjstore
let client: S3Client
const Bucket = "files"

beforeAll(async () => {
  server = await startFakeObjstore({ buckets: { files: {}, open: { publicRead: true } }, now: () => TIME })
  client = connectS3(server, SKEW_OF_TESTS)
})
beforeEach(() => {
  for (const key of server.objects()) server.delete(key)
})
afterAll(() => server.close())

async function textOf(key: string, headers: { Range?: string; IfMatch?: string } = {}): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key, ...headers }))
  return (await Body?.transformToString()) ?? ""
}

describe("objects of the fake object store", () => {
  it("are written and read with their type, metadata, date and MD5 as ETag", async () => {
    const Metadata = { colour: "gr\u00fcn" }
    const put = await client.send(
      new PutObjectCommand({ Bucket, Key: "a.txt", Body: "hello", Metadata, ContentType: "text/plain" }),
    )
    const ETag = `"${createHash("md5").update("hello").digest("hex")}"`
    expect(put.ETag).toBe(ETag)
    expect(await textOf("a.txt")).toBe("hello")
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: "a.txt" }))
    // The header has the bytes of UTF-8, as they were signed.
    expect(head.Metadata).toEqual({ colour: Buffer.from("gr\u00fcn").toString("latin1") })
    expect(head).toMatchObject({ ETag, ContentType: "text/plain", ContentLength: 5, AcceptRanges: "bytes" })
    expect(head.LastModified?.getTime()).toBe(TIME)
    expect(server.read("a.txt").toString()).toBe("hello")
  })

  it("keep their keys byte by byte", async () => {
    const keys = ["a//b", "./dot", "x/../y", "%41", "a+b c", "'()*!", "ä#?&=.txt", "e\u0301", "\u00e9", "tail/"]
    for (const key of keys) await client.send(new PutObjectCommand({ Bucket, Key: key, Body: key }))
    expect(server.objects()).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    for (const key of keys) expect(await textOf(key)).toBe(key)
  })

  it("are read in part, from the front, the back and to the end", async () => {
    server.write("a", "0123456789")
    expect(await textOf("a", { Range: "bytes=2-4" })).toBe("234")
    expect(await textOf("a", { Range: "bytes=-3" })).toBe("789")
    expect(await textOf("a", { Range: "bytes=-30" })).toBe("0123456789")
    expect(await textOf("a", { Range: "bytes=8-100" })).toBe("89")
    expect(await textOf("a", { Range: "bytes=1-2,4-5" })).toBe("0123456789")
    const refusal = client.send(new GetObjectCommand({ Bucket, Key: "a", Range: "bytes=10-" }))
    await expect(refusal).rejects.toMatchObject({ name: "InvalidRange", $metadata: { httpStatusCode: 416 } })
    const raw = await askRaw(server.endpoint, { method: "GET", path: "/open/a", headers: { range: "bytes=0-" } })
    expect(raw.status).toBe(404)
  })

  it("return their size with 416", async () => {
    server.write("a", "0123456789", { bucket: "open" })
    const ask = { method: "GET", path: "/open/a", headers: { range: "bytes=10-" } }
    const { status, headers } = await askRaw(server.endpoint, ask)
    expect([status, headers["content-range"]]).toEqual([416, "bytes */10"])
  })

  it("are read under conditions", async () => {
    server.write("a", "hello")
    const { ETag = "" } = await client.send(new HeadObjectCommand({ Bucket, Key: "a" }))
    expect(await textOf("a", { IfMatch: ETag })).toBe("hello")
    await expect(textOf("a", { IfMatch: '"other"' })).rejects.toMatchObject({ name: "PreconditionFailed" })
    const same = client.send(new GetObjectCommand({ Bucket, Key: "a", IfNoneMatch: ETag }))
    await expect(same).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    const later = client.send(new GetObjectCommand({ Bucket, Key: "a", IfModifiedSince: new Date(TIME) }))
    await expect(later).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    const earlier = client.send(new GetObjectCommand({ Bucket, Key: "a", IfUnmodifiedSince: new Date(TIME - 1000) }))
    await expect(earlier).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } })
  })

  it("are deleted one by one or many at once, whether they exist or not", async () => {
    for (const key of ["a", "b", "c & <d>"]) server.write(key, key)
    await client.send(new DeleteObjectCommand({ Bucket, Key: "a" }))
    await client.send(new DeleteObjectCommand({ Bucket, Key: "a" }))
    expect(server.objects()).toEqual(["b", "c & <d>"])
    const Delete = { Objects: [{ Key: "c & <d>" }, { Key: "never there" }] }
    await expect(client.send(new DeleteObjectsCommand({ Bucket, Delete }))).rejects.toThrow(/Content-MD5/)
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string; headers: Record<string, string> }
        request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64")
        return next(args)
      },
      { name: "md5", step: "build", override: true },
    )
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }))
    client.middlewareStack.remove("md5")
    expect(Deleted?.map(({ Key }) => Key)).toEqual(["c & <d>", "never there"])
    expect(server.objects()).toEqual(["b"])
  })

  it("are copied with their metadata, and onto themselves only with new ones", async () => {
    server.write("a b", "hello", { headers: { "x-amz-meta-colour": "green" } })
    await client.send(new CopyObjectCommand({ Bucket, Key: "c", CopySource: "files/a%20b" }))
    expect(await textOf("c")).toBe("hello")
    const head = () => client.send(new HeadObjectCommand({ Bucket, Key: "c" }))
    expect((await head()).Metadata).toEqual({ colour: "green" })
    const onto = { Bucket, Key: "c", CopySource: "/files/c" }
    await expect(client.send(new CopyObjectCommand(onto))).rejects.toMatchObject({ name: "InvalidRequest" })
    const Metadata = { colour: "red" }
    await client.send(new CopyObjectCommand({ ...onto, MetadataDirective: "REPLACE", Metadata }))
    expect((await head()).Metadata).toEqual(Metadata)
  })

  it("can be larger than memory, made from a seed while they are read", async () => {
    const large = { size: 3_000_000, seed: 7 }
    server.write("large", large)
    const expected = Buffer.concat([...generateBytes(large)])
    expect(expected).toHaveLength(3_000_000)
    expect(await textOf("large", { Range: "bytes=1048570-1048579" })).toBe(
      expected.subarray(1_048_570, 1_048_580).toString(),
    )
    expect(server.read("large").equals(expected)).toBe(true)
    expect([...generateBytes({ size: 10, seed: 8 })]).not.toEqual([...generateBytes({ size: 10, seed: 7 })])
  })
})

describe("a missing object or bucket", () => {
  it.each([
    ["a key", "files", "missing", "NoSuchKey"],
    ["a bucket", "nowhere", "a", "NoSuchBucket"],
  ])("has its own code: %s", async (_, bucket, key, name) => {
    const read = client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
    await expect(read).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 404 } })
    const head = client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
    await expect(head).rejects.toMatchObject({ name: "NotFound" })
  })

  it("is reported by HEAD of the bucket", async () => {
    expect(await client.send(new HeadBucketCommand({ Bucket }))).toMatchObject({ BucketRegion: "us-east-1" })
    await expect(client.send(new HeadBucketCommand({ Bucket: "nowhere" }))).rejects.toMatchObject({ name: "NotFound" })
  })

  it("is not simulated: an unknown operation is refused", async () => {
    const { status, body } = await askRaw(server.endpoint, { method: "GET", path: "/open/a?torrent" })
    expect([status, body.toString()]).toEqual([501, expect.stringContaining("<Code>NotImplemented</Code>")])
    expect((await askRaw(server.endpoint, { method: "GET", path: "/open/%ff" })).status).toBe(400)
  })
})

it("records requests as they were sent, with their outcome", async () => {
  server.write("a//b", "hello")
  await textOf("a//b", { Range: "bytes=0-1" })
  expect(server.requests.at(-1)).toMatchObject({
    method: "GET",
    url: "/files/a//b?x-id=GetObject",
    operation: "GetObject",
    key: "a//b",
    headers: { range: "bytes=0-1" },
    status: 206,
    sent: 2,
  })
  await expect.poll(() => server.requests.at(-1)?.outcome).toBe("answered")
})
