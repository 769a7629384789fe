import { createHash, randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type S3Client,
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callS3, chunkedBody, signS3 } from "../testing/sign-s3.ts"
import { startS3, type S3TestServer } from "../testing/start-s3.ts"
import { FILES } from "../testing/start-test-server.ts"

const Bucket = "default.a"
let s3: S3TestServer
let key: Awaited<ReturnType<S3TestServer["key"]>>
let client: S3Client
beforeAll(async () => {
  s3 = await startS3()
  key = await s3.key({ workspace: "default", role: "editor" })
  client = s3.client(key)
})
afterAll(() => s3[Symbol.asyncDispose]())

/** Reads a file through the door of the files. */
const stored = async (path: string, fileset = "a") => {
  const headers = { authorization: `Bearer ${s3.root}` }
  const { status, text } = await s3.server.call("GET", `${FILES}/default/filesets/${fileset}/-/${path}`, { headers })
  return status === 200 ? text : status
}
const put = (Key: string, Body: string, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
const failed = (name: string, httpStatusCode: number) => ({ name, $metadata: { httpStatusCode } })

describe("the SDK of AWS writes a file", () => {
  it("that every door reads", verifies("s3.write"), async () => {
    const { ETag } = await put("dir/one.txt", "one")
    expect(await stored("dir/one.txt")).toBe("one")
    expect(ETag).toBe(`"${createHash("sha256").update("one").digest("hex")}-a"`)
    await put("empty", "")
    expect(await stored("empty")).toBe("")
  })

  it("and an empty object for a folder, of which nothing is kept", verifies("s3.folders"), async () => {
    await put("folder/", "")
    await put("folder/file", "1")
    await put("folder/", "")
    await expect(put("folder/", "bytes")).rejects.toMatchObject(failed("InvalidArgument", 400))
    await expect(put("folder/../", "")).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
    const named = { Bucket, Key: "folder/" }
    await expect(client.send(new GetObjectCommand(named))).rejects.toMatchObject(failed("NoSuchKey", 404))
    await client.send(new DeleteObjectCommand(named))
    const both = [{ Key: "folder/" }, { Key: "folder/none" }]
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: both } }))
    expect([Deleted?.length, Errors]).toEqual([2, undefined])
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "folder/" }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(["folder/file"])
    const missing = { Bucket: "default.none", Key: "folder/" }
    await expect(client.send(new PutObjectCommand(missing))).rejects.toMatchObject(failed("NoSuchBucket", 404))
    await expect(client.send(new DeleteObjectCommand(missing))).rejects.toMatchObject(failed("NoSuchBucket", 404))
    const viewer = s3.client(await s3.key({ workspace: "default", role: "viewer" }))
    await expect(viewer.send(new PutObjectCommand(named))).rejects.toMatchObject(failed("AccessDenied", 403))
  })

  it("under conditions", verifies("s3.write"), async () => {
    const { ETag } = await put("new", "1", { IfNoneMatch: "*" })
    await expect(put("new", "2", { IfNoneMatch: "*" })).rejects.toMatchObject(failed("PreconditionFailed", 412))
    await put("new", "3", { IfMatch: ETag })
    await expect(put("new", "4", { IfMatch: ETag })).rejects.toMatchObject(failed("PreconditionFailed", 412))
    expect(await stored("new")).toBe("3")
  })

  it.each(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)(
    "with a checksum by %s, in a header or behind a stream",
    verifies("s3.checksums"),
    async (ChecksumAlgorithm) => {
      await put("sum", "in a header", { ChecksumAlgorithm })
      expect(await stored("sum")).toBe("in a header")
      const Body = Readable.from([Buffer.from("behind "), Buffer.from("a stream")])
      await client.send(new PutObjectCommand({ Bucket, Key: "sum", Body, ChecksumAlgorithm, ContentLength: 15 }))
      expect(await stored("sum")).toBe("behind a stream")
    },
  )

  it("only if its checksums fit", verifies("s3.checksums"), async () => {
    await put("sums", "before")
    const wrong = Buffer.alloc(16).toString("base64")
    await expect(put("sums", "x", { ContentMD5: wrong })).rejects.toMatchObject(failed("BadDigest", 400))
    await expect(put("sums", "x", { ContentMD5: "no" })).rejects.toMatchObject(failed("InvalidDigest", 400))
    for (const [name, size] of Object.entries({ CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20 })) {
      const checksum = { [`Checksum${name}`]: Buffer.alloc(size).toString("base64") }
      await expect(put("sums", "x", checksum)).rejects.toMatchObject(failed("BadDigest", 400))
    }
    const other = put("sums", "x", { ChecksumSHA256: Buffer.alloc(32).toString("base64") })
    await expect(other).rejects.toMatchObject(failed("XAmzContentSHA256Mismatch", 400))
    expect(await stored("sums")).toBe("before")
    await put("sums", "after", { ContentMD5: createHash("md5").update("after").digest("base64") })
    expect(await stored("sums")).toBe("after")
  })

  it("but nothing that would not be kept", verifies("s3.not-implemented"), async () => {
    for (const more of [
      { ACL: "public-read" },
      { ServerSideEncryption: "AES256" },
      { Tagging: "a=b" },
      { StorageClass: "GLACIER" },
    ])
      await expect(put("refused", "x", more)).rejects.toMatchObject(failed("NotImplemented", 501))
    const gzip = put("refused", "x", { ContentEncoding: "gzip" })
    await expect(gzip).rejects.toMatchObject({ $metadata: { httpStatusCode: 415 } })
    expect(await stored("refused")).toBe(404)
    await put("kept", "x", { ACL: "private", Metadata: { a: "b" }, ContentType: "text/plain" })
  })

  it("by a presigned URL", verifies("s3.presigned"), async () => {
    const plain = s3.client(key, { requestChecksumCalculation: "WHEN_REQUIRED" })
    const url = await getSignedUrl(plain, new PutObjectCommand({ Bucket, Key: "presigned" }), { expiresIn: 60 })
    expect((await fetch(url, { method: "PUT", body: "by a link" })).status).toBe(200)
    expect(await stored("presigned")).toBe("by a link")
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403)
  })
})

describe("a body in signed chunks", () => {
  const text = "0123456789".repeat(1000)
  const send = async (change: (body: string) => string, more: Readonly<Record<string, string>> = {}) => {
    const headers = {
      "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
      "x-amz-decoded-content-length": String(text.length),
      "content-encoding": "aws-chunked",
      ...more,
    }
    const path = "/s3/default.a/chunks"
    const signed = signS3("PUT", path, { headers }, { ...key, host: new URL(s3.server.url).host })
    const body = change(chunkedBody(text, 4096, signed))
    const { status, text: answer } = await s3.server.call("PUT", path, { headers: signed.headers, body })
    return [status, /<Code>(\w+)/.exec(answer)?.[1]]
  }

  it("is stored without its frame, and not at all if a part of it is wrong", verifies("s3.chunks"), async () => {
    expect(await send((body) => body)).toEqual([200, undefined])
    expect(await stored("chunks")).toBe(text)
    await put("chunks", "before")
    expect(await send((body) => body.replace("0123", "0124"))).toEqual([403, "SignatureDoesNotMatch"])
    expect(await send((body) => body.slice(0, -90))).toEqual([400, "IncompleteBody"])
    expect(await send((body) => body.replace("1000;", "0fff;"))).toEqual([403, "SignatureDoesNotMatch"])
    expect(await send((body) => body, { "x-amz-decoded-content-length": "9999" })).toEqual([400, "IncompleteBody"])
    expect(await send((body) => body, { "x-amz-decoded-content-length": "10001" })).toEqual([400, "IncompleteBody"])
    expect(await stored("chunks")).toBe("before")
  })

  it("must have the SHA-256 that is signed, if it is not in chunks", verifies("s3.chunks"), async () => {
    const headers = { "x-amz-content-sha256": createHash("sha256").update("other").digest("hex") }
    const { status, text: answer } = await callS3({ server: s3.server, key }, "PUT", "/s3/default.a/chunks", {
      body: "this",
      headers,
    })
    expect([status, /<Code>(\w+)/.exec(answer)?.[1]]).toEqual([400, "XAmzContentSHA256Mismatch"])
    expect(await stored("chunks")).toBe("before")
  })
})

describe("an upload in parts", () => {
  const start = async (Key: string) => (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId
  const part = (Key: string, UploadId: string | undefined, PartNumber: number, Body: string) =>
    client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
  const complete = (
    Key: string,
    UploadId: string | undefined,
    Parts: { PartNumber: number; ETag?: string | undefined }[],
    more = {},
  ) => client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }))

  it("of a large file becomes the file", verifies("s3.multipart"), async () => {
    const bytes = randomBytes(11_000_000)
    const params = {
      Bucket,
      Key: "large.bin",
      Body: Readable.from([bytes.subarray(0, 7_000_000), bytes.subarray(7_000_000)]),
    }
    await new Upload({ client, params, partSize: 5 * 1024 * 1024 }).done()
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: "large.bin" }))
    const read = Buffer.from((await Body?.transformToByteArray()) ?? [])
    expect(read.equals(bytes)).toBe(true)
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toBeUndefined()
  })

  it(
    "takes parts in any order and twice, lists them, and joins those that are named",
    verifies("s3.multipart"),
    async () => {
      const id = await start("joined")
      await part("joined", id, 7, "unused")
      const three = await part("joined", id, 3, "three")
      const old = await part("joined", id, 1, "old")
      const one = await part("joined", id, 1, "one ")
      const { Parts = [] } = await client.send(new ListPartsCommand({ Bucket, Key: "joined", UploadId: id }))
      expect(Parts.map(({ PartNumber, Size, ETag }) => [PartNumber, Size, ETag])).toEqual([
        [1, 4, one.ETag],
        [3, 5, three.ETag],
        [7, 6, expect.stringContaining("-")],
      ])
      const second = await client.send(
        new ListPartsCommand({ Bucket, Key: "joined", UploadId: id, MaxParts: 1, PartNumberMarker: "1" }),
      )
      expect([second.Parts?.map(({ PartNumber }) => PartNumber), second.IsTruncated]).toEqual([[3], true])
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "jo" }))
      expect(Uploads).toMatchObject([{ Key: "joined", UploadId: id }])
      const wrong = [{ PartNumber: 1, ETag: old.ETag }]
      await expect(complete("joined", id, wrong)).rejects.toMatchObject(failed("InvalidPart", 400))
      await expect(complete("joined", id, [{ PartNumber: 2, ETag: one.ETag }])).rejects.toMatchObject(
        failed("InvalidPart", 400),
      )
      const parts = [
        { PartNumber: 1, ETag: one.ETag },
        { PartNumber: 3, ETag: three.ETag },
      ]
      await expect(complete("joined", id, parts.toReversed())).rejects.toMatchObject(failed("InvalidPartOrder", 400))
      const done = await complete("joined", id, parts)
      expect([await stored("joined"), done.ETag]).toEqual(["one three", expect.stringMatching(/^"[0-9a-f]{64}-a"$/)])
      // A client repeats a request whose response was lost.
      expect((await complete("joined", id, parts)).ETag).toBe(done.ETag)
      await expect(complete("other", id, parts)).rejects.toMatchObject(failed("InvalidRequest", 400))
      await expect(part("joined", id, 1, "late")).rejects.toMatchObject(failed("NoSuchUpload", 404))
    },
  )

  it("leaves nothing if it is aborted, and belongs to one path of one fileset", verifies("s3.multipart"), async () => {
    const id = await start("aborted")
    const { ETag } = await part("aborted", id, 1, "x")
    await expect(complete("other", id, [{ PartNumber: 1, ETag }])).rejects.toMatchObject(failed("InvalidRequest", 400))
    const elsewhere = { Bucket: "default.b", Key: "aborted", UploadId: id }
    await client.send(new CreateBucketCommand({ Bucket: "default.b" }))
    await expect(client.send(new AbortMultipartUploadCommand(elsewhere))).rejects.toMatchObject(
      failed("NoSuchUpload", 404),
    )
    await client.send(new AbortMultipartUploadCommand({ ...elsewhere, Bucket }))
    await expect(complete("aborted", id, [{ PartNumber: 1, ETag }])).rejects.toMatchObject(failed("NoSuchUpload", 404))
    expect(await stored("aborted")).toBe(404)
    await client.send(new DeleteBucketCommand({ Bucket: "default.b" }))
  })

  it("copies ranges of other files, and holds its conditions at the end", verifies("s3.copy"), async () => {
    await put("source", "0123456789")
    const id = await start("copied")
    const copy = (PartNumber: number, CopySourceRange: string) =>
      client.send(
        new UploadPartCopyCommand({
          Bucket,
          Key: "copied",
          UploadId: id,
          PartNumber,
          CopySource: `${Bucket}/source`,
          CopySourceRange,
        }),
      )
    await expect(copy(1, "bytes=8-10")).rejects.toMatchObject(failed("InvalidArgument", 400))
    const [a, b] = [await copy(1, "bytes=8-9"), await copy(2, "bytes=0-1")]
    const parts = [a, b].map(({ CopyPartResult }, at) => ({ PartNumber: at + 1, ETag: CopyPartResult?.ETag }))
    await put("copied", "there already")
    await expect(complete("copied", id, parts, { IfNoneMatch: "*" })).rejects.toMatchObject(
      failed("PreconditionFailed", 412),
    )
    await complete("copied", id, parts)
    expect(await stored("copied")).toBe("8901")
  })
})

describe("the SDK of AWS", () => {
  it("copies files", verifies("s3.copy"), async () => {
    const { ETag } = await put("from é+%", "copied")
    const CopySource = encodeURI(`/${Bucket}/from é+%`).replace("+", "%2B")
    const { CopyObjectResult } = await client.send(new CopyObjectCommand({ Bucket, Key: "to", CopySource }))
    expect([await stored("to"), CopyObjectResult?.ETag]).toEqual(["copied", ETag])
    await client.send(
      new CopyObjectCommand({ Bucket, Key: "to", CopySource: `${Bucket}/to`, MetadataDirective: "REPLACE" }),
    )
    const other = { Bucket, Key: "to", CopySource, CopySourceIfMatch: '"other"' }
    await expect(client.send(new CopyObjectCommand(other))).rejects.toMatchObject(failed("PreconditionFailed", 412))
    const hidden = { Bucket, Key: "to", CopySource: "hidden.a/x" }
    await expect(client.send(new CopyObjectCommand(hidden))).rejects.toMatchObject(failed("NoSuchBucket", 404))
  })

  it("deletes files, also those that do not exist", verifies("s3.delete"), async () => {
    for (const name of ["x/1", "x/2", "x/3"]) await put(name, "x")
    await client.send(new DeleteObjectCommand({ Bucket, Key: "x/1" }))
    await client.send(new DeleteObjectCommand({ Bucket, Key: "x/1" }))
    const Objects = ["x/2", "x/none", "x//bad", "<&>"].map((Key) => ({ Key }))
    const { Deleted = [], Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Deleted.map(({ Key }) => Key)).toEqual(["x/2", "x/none", "<&>"])
    expect(Errors).toMatchObject([{ Key: "x//bad", Code: "InvalidArgument" }])
    const quiet = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
    expect([quiet.Deleted, quiet.Errors?.length]).toEqual([undefined, 1])
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "x" }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(["x/3"])
    const none = new DeleteObjectCommand({ Bucket: "default.none", Key: "a" })
    await expect(client.send(none)).rejects.toMatchObject(failed("NoSuchBucket", 404))
  })

  it("deletes files only if their conditions hold", verifies("s3.delete"), async () => {
    const { ETag = "" } = await put("cond/1", "x")
    await put("cond/2", "x")
    const one = { Bucket, Key: "cond/1" }
    const remove = (more: object) => client.send(new DeleteObjectCommand({ ...one, ...more }))
    await expect(remove({ IfMatch: '"other"' })).rejects.toMatchObject(failed("PreconditionFailed", 412))
    await expect(remove({ IfMatchSize: 7 })).rejects.toMatchObject(failed("NotImplemented", 501))
    const Objects = [
      { Key: "cond/1", ETag: '"other"' },
      { Key: "cond/2", ETag },
    ]
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect([Deleted, Errors]).toMatchObject([[{ Key: "cond/2" }], [{ Key: "cond/1", Code: "PreconditionFailed" }]])
    const sized = { Objects: [{ Key: "cond/1", Size: 7 }] }
    const asked = client.send(new DeleteObjectsCommand({ Bucket, Delete: sized }))
    await expect(asked).rejects.toMatchObject(failed("NotImplemented", 501))
    expect(await stored("cond/1")).toBe("x")
    await remove({ IfMatch: ETag })
    expect(await stored("cond/1")).toBe(404)
  })

  it("creates and deletes buckets", verifies("s3.buckets"), async () => {
    await client.send(new CreateBucketCommand({ Bucket: "default.new--set" })).catch((error: unknown) => {
      expect(error).toMatchObject({ name: "NoSuchBucket" })
    })
    await client.send(new CreateBucketCommand({ Bucket: "default.new" }))
    await expect(client.send(new CreateBucketCommand({ Bucket: "default.new" }))).rejects.toMatchObject(
      failed("BucketAlreadyOwnedByYou", 409),
    )
    await client.send(new PutObjectCommand({ Bucket: "default.new", Key: "x", Body: "x" }))
    await expect(client.send(new DeleteBucketCommand({ Bucket: "default.new" }))).rejects.toMatchObject(
      failed("BucketNotEmpty", 409),
    )
    await client.send(new DeleteObjectCommand({ Bucket: "default.new", Key: "x" }))
    await client.send(new DeleteBucketCommand({ Bucket: "default.new" }))
    await expect(client.send(new DeleteBucketCommand({ Bucket: "default.new" }))).rejects.toMatchObject(
      failed("NoSuchBucket", 404),
    )
    await expect(client.send(new CreateBucketCommand({ Bucket: "default.é" }))).rejects.toMatchObject(
      failed("InvalidBucketName", 400),
    )
    await expect(client.send(new CreateBucketCommand({ Bucket: "hidden.b" }))).rejects.toMatchObject(
      failed("NoSuchBucket", 404),
    )
  })
})
