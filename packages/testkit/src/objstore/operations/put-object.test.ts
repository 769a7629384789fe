import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { afterEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "../start-fake-objstore.ts"
import { connectS3 } from "../testing/connect-s3.ts"

const Bucket = "files"

let server: FakeObjstore
afterEach(() => server.close())

function put(key: string, changes: Partial<PutObjectCommand["input"]> = {}): Promise<{ ETag?: string | undefined }> {
  return connectS3(server).send(new PutObjectCommand({ Bucket, Key: key, Body: "new", ...changes }))
}

describe("writes under conditions", () => {
  it("happen only if the condition holds", async () => {
    server = await startFakeObjstore()
    const { ETag } = await put("a", { Body: "old", IfNoneMatch: "*" })
    await expect(put("a", { IfNoneMatch: "*" })).rejects.toMatchObject({ name: "PreconditionFailed" })
    await expect(put("a", { IfMatch: '"other"' })).rejects.toMatchObject({ name: "PreconditionFailed" })
    await expect(put("b", { IfMatch: '"other"' })).rejects.toMatchObject({ name: "NoSuchKey" })
    expect(server.read("a").toString()).toBe("old")
    await put("a", { IfMatch: ETag })
    expect(server.read("a").toString()).toBe("new")
    const remove = connectS3(server).send(new DeleteObjectCommand({ Bucket, Key: "a", IfMatch: ETag }))
    await expect(remove).rejects.toMatchObject({ name: "PreconditionFailed" })
  })

  it("check the condition when a multipart upload is completed", async () => {
    server = await startFakeObjstore()
    const client = connectS3(server)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "a" }))
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket, Key: "a", UploadId, PartNumber: 1, Body: "new" }),
    )
    const input = { Bucket, Key: "a", UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }
    server.write("a", "old")
    const complete = client.send(new CompleteMultipartUploadCommand({ ...input, IfNoneMatch: "*" }))
    await expect(complete).rejects.toMatchObject({ name: "PreconditionFailed" })
    server.delete("a")
    await client.send(new CompleteMultipartUploadCommand({ ...input, IfNoneMatch: "*" }))
    expect(server.read("a").toString()).toBe("new")
  })

  it("return 501 or overwrite if the server does not support conditions", async () => {
    server = await startFakeObjstore({ conditionalWrites: "not-implemented" })
    await expect(put("a", { IfNoneMatch: "*" })).rejects.toMatchObject({
      name: "NotImplemented",
      $metadata: { httpStatusCode: 501 },
    })
    await server.close()
    server = await startFakeObjstore({ conditionalWrites: "ignored" })
    server.write("a", "old")
    await put("a", { IfNoneMatch: "*" })
    expect(server.read("a").toString()).toBe("new")
  })
})

describe("bodies", () => {
  it("are compared with Content-MD5, and change nothing if they differ", async () => {
    server = await startFakeObjstore()
    server.write("a", "old")
    const other = Buffer.alloc(16).toString("base64")
    await expect(put("a", { ContentMD5: other })).rejects.toMatchObject({ name: "BadDigest" })
    await expect(put("a", { ContentMD5: "short" })).rejects.toMatchObject({ name: "InvalidDigest" })
    expect(server.read("a").toString()).toBe("old")
  })

  it("are counted and not stored if the test wants only their number", async () => {
    server = await startFakeObjstore({ discardUploads: true })
    const { ETag } = await put("a", { Body: Buffer.alloc(3_000_000) })
    expect(ETag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(server.requests.at(-1)).toMatchObject({ operation: "PutObject", received: 3_000_000, status: 200 })
    expect(() => server.read("a")).toThrow(/discarded/)
  })

  it("have at most 2 KiB of metadata", async () => {
    server = await startFakeObjstore()
    await put("a", { Metadata: { a: "x".repeat(2047) } })
    await expect(put("a", { Metadata: { a: "x".repeat(2048) } })).rejects.toMatchObject({ name: "MetadataTooLarge" })
  })
})
