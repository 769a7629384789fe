import { createHash } from "node:crypto"
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "../start-fake-objstore.ts"
import { connectS3 } from "../testing/connect-s3.ts"

const Bucket = "files"
const Key = "dir/large"

let server: FakeObjstore
let client: S3Client
let UploadId: string | undefined

beforeEach(async () => {
  server = await startFakeObjstore({ minimumPartSize: 4 })
  client = connectS3(server)
  const create = new CreateMultipartUploadCommand({ Bucket, Key, Metadata: { colour: "green" } })
  ;({ UploadId } = await client.send(create))
})
afterEach(() => server.close())

async function upload(PartNumber: number, Body: string): Promise<{ PartNumber: number; ETag: string | undefined }> {
  const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
  return { PartNumber, ETag }
}

function complete(Parts: { PartNumber: number; ETag: string | undefined }[]): Promise<{ ETag?: string | undefined }> {
  return client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
}

function md5(text: string): Buffer {
  return createHash("md5").update(text).digest()
}

describe("multipart uploads of the fake object store", () => {
  it("create an object only when they are completed, in the order of the parts' numbers", async () => {
    const third = await upload(3, "and")
    const first = await upload(1, "hello ")
    await upload(2, "wrong")
    const second = await upload(2, "world ")
    expect(server.objects()).toEqual([])
    expect(server.openUploads()).toEqual([{ key: Key, uploadId: UploadId, parts: [1, 2, 3] }])
    const digests = Buffer.concat(["hello ", "world ", "and"].map(md5))
    const { ETag } = await complete([first, second, third])
    expect(ETag).toBe(`"${createHash("md5").update(digests).digest("hex")}-3"`)
    expect(server.read(Key).toString()).toBe("hello world and")
    expect(server.openUploads()).toEqual([])
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }))
    expect(head).toMatchObject({ ETag, Metadata: { colour: "green" }, ContentLength: 15 })
  })

  it("are refused when parts are missing, altered, out of order, too small or none", async () => {
    const [first, second] = [await upload(1, "hel"), await upload(2, "lo world")]
    const refusals = [
      [[first, second], "EntityTooSmall"],
      [[second, first], "InvalidPartOrder"],
      [[second, second], "InvalidPartOrder"],
      [[{ ...second, ETag: '"other"' }], "InvalidPart"],
      [[second, { PartNumber: 7, ETag: '"other"' }], "InvalidPart"],
      [[], "MalformedXML"],
    ] as const
    for (const [parts, name] of refusals) await expect(complete([...parts])).rejects.toMatchObject({ name })
    expect(server.openUploads()).toHaveLength(1)
    await complete([second])
    expect(server.read(Key).toString()).toBe("lo world")
  })

  it("belong to their key", async () => {
    const part = { Bucket, Key: "other", UploadId, PartNumber: 1, Body: "hello" }
    await expect(client.send(new UploadPartCommand(part))).rejects.toMatchObject({ name: "NoSuchUpload" })
  })

  it("take parts numbered from 1 to 10,000", async () => {
    await upload(10_000, "last")
    for (const number of [0, 10_001]) {
      await expect(upload(number, "a")).rejects.toMatchObject({ name: "InvalidArgument" })
    }
  })

  it("are gone when they are aborted", async () => {
    const part = await upload(1, "hello")
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    expect(server.openUploads()).toEqual([])
    await expect(upload(2, "a")).rejects.toMatchObject({ name: "NoSuchUpload" })
    await expect(complete([part])).rejects.toMatchObject({ name: "NoSuchUpload" })
    const again = client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    await expect(again).rejects.toMatchObject({ name: "NoSuchUpload" })
  })

  it("are listed with their parts, page by page", async () => {
    const part = await upload(1, "hello")
    await upload(2, "world")
    const parts = await client.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }))
    expect(parts).toMatchObject({ IsTruncated: true, NextPartNumberMarker: "1", Parts: [{ ...part, Size: 5 }] })
    const marker = { PartNumberMarker: parts.NextPartNumberMarker }
    const rest = await client.send(new ListPartsCommand({ Bucket, Key, UploadId, ...marker }))
    expect(rest.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([2])

    await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "a" }))
    const first = await client.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 2 }))
    expect(first.Uploads?.map((one) => one.Key)).toEqual(["a", Key])
    const markers = { KeyMarker: first.NextKeyMarker, UploadIdMarker: first.NextUploadIdMarker }
    const second = await client.send(new ListMultipartUploadsCommand({ Bucket, ...markers }))
    expect(second.Uploads?.map((one) => one.Key)).toEqual([Key])
    const ids = [...(first.Uploads ?? []), ...(second.Uploads ?? [])].map((one) => one.UploadId)
    expect(new Set(ids).size).toBe(3)
    const below = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "dir/" }))
    expect(below.Uploads).toHaveLength(2)
  })
})
