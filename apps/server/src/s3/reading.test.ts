import { createHash, createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, request as sendRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import {
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { verifies } from "@assay/testkit"
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callS3 } from "../testing/sign-s3.ts"
import { startS3, type S3TestServer } from "../testing/start-s3.ts"
import { FILES } from "../testing/start-test-server.ts"

const Bucket = "default.a"
const NAMES = ["a.txt", "b/1", "b/2", "b/c/3", "é &<>\"'+%.txt", "z"]
const sha256 = createHash("sha256").update("text of a.txt").digest("hex")

let s3: S3TestServer
let key: Awaited<ReturnType<S3TestServer["key"]>>
let client: S3Client
beforeAll(async () => {
  s3 = await startS3()
  key = await s3.key({ workspace: "default", role: "viewer" })
  client = s3.client(key)
  const headers = { authorization: `Bearer ${s3.root}` }
  for (const name of NAMES) {
    const path = name.split("/").map(encodeURIComponent).join("/")
    await s3.server.call("PUT", `${FILES}/default/filesets/a/-/${path}`, { body: `text of ${name}`, headers })
  }
})
afterAll(() => s3[Symbol.asyncDispose]())

describe("the SDK of AWS reads filesets", () => {
  it("as buckets", verifies("s3.buckets"), async () => {
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}))
    expect(Buckets.map(({ Name }) => Name)).toEqual(["default.a"])
    expect(Buckets[0]?.CreationDate?.getTime()).toBeGreaterThan(Date.now() - 600_000)
    await client.send(new HeadBucketCommand({ Bucket }))
    expect((await client.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint ?? "").toBe("")
    expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined()
    for (const Bucket of ["default.none", "hidden.a", "none.a", "default"]) {
      await expect(client.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 404 },
      })
      for (const extra of [{}, { MaxKeys: 0 }, { Prefix: "../" }])
        await expect(client.send(new ListObjectsV2Command({ Bucket, ...extra }))).rejects.toMatchObject({
          name: "NoSuchBucket",
        })
    }
  })

  it("and their files, in pages, by prefix and delimiter", verifies("s3.list"), async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
    expect(Contents.map(({ Key }) => Key)).toEqual(["a.txt", "b/1", "b/2", "b/c/3", "z", "é &<>\"'+%.txt"])
    expect(Contents[0]).toMatchObject({ Size: 13, ETag: `"${sha256}-a"` })
    const pages = await Array.fromAsync(paginateListObjectsV2({ client, pageSize: 2 }, { Bucket, EncodingType: "url" }))
    expect(pages.flatMap(({ Contents: found = [] }) => found.map(({ Key }) => decodeURIComponent(Key ?? "")))).toEqual(
      Contents.map(({ Key }) => Key),
    )
    const level = await client.send(new ListObjectsV2Command({ Bucket, Delimiter: "/", Prefix: "b/" }))
    expect([level.Contents?.map(({ Key }) => Key), level.CommonPrefixes, level.KeyCount]).toEqual([
      ["b/1", "b/2"],
      [{ Prefix: "b/c/" }],
      3,
    ])
    const later = await client.send(new ListObjectsV2Command({ Bucket, StartAfter: "b/1", MaxKeys: 1 }))
    expect([later.Contents?.map(({ Key }) => Key), later.IsTruncated]).toEqual([["b/2"], true])
    const first = await client.send(new ListObjectsCommand({ Bucket, Delimiter: "/", MaxKeys: 2 }))
    expect([first.NextMarker, first.CommonPrefixes, first.IsTruncated]).toEqual(["b/", [{ Prefix: "b/" }], true])
    const second = await client.send(new ListObjectsCommand({ Bucket, Delimiter: "/", Marker: first.NextMarker }))
    expect([second.Contents?.map(({ Key }) => Key), second.CommonPrefixes]).toEqual([
      ["z", "é &<>\"'+%.txt"],
      undefined,
    ])
  })

  it("and their bytes, whole or a range, with their checksum", verifies("s3.read"), async () => {
    for (const Key of NAMES) {
      const { Body, ContentLength, ChecksumSHA256 } = await client.send(new GetObjectCommand({ Bucket, Key }))
      expect([await Body?.transformToString(), ContentLength]).toEqual([
        `text of ${Key}`,
        Buffer.byteLength(`text of ${Key}`),
      ])
      expect(ChecksumSHA256).toHaveLength(44)
    }
    const part = await client.send(new GetObjectCommand({ Bucket, Key: "a.txt", Range: "bytes=8-99" }))
    expect([await part.Body?.transformToString(), part.ContentRange]).toEqual(["a.txt", "bytes 8-12/13"])
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: "a.txt" }))
    expect(head).toMatchObject({ ContentLength: 13, ETag: `"${sha256}-a"`, AcceptRanges: "bytes" })
    await expect(client.send(new GetObjectCommand({ Bucket, Key: "a.txt", Range: "bytes=13-" }))).rejects.toMatchObject(
      {
        name: "InvalidRange",
        $metadata: { httpStatusCode: 416 },
      },
    )
  })

  it("under conditions", verifies("s3.read"), async () => {
    const get = (input: object) => client.send(new GetObjectCommand({ Bucket, Key: "a.txt", ...input }))
    const { ETag, LastModified } = await get({})
    expect((await get({ IfMatch: ETag })).ContentLength).toBe(13)
    for (const input of [{ IfNoneMatch: ETag }, { IfModifiedSince: LastModified }])
      await expect(get(input)).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    for (const input of [{ IfMatch: `"${sha256}"` }, { IfUnmodifiedSince: new Date(0) }])
      await expect(get(input)).rejects.toMatchObject({ name: "PreconditionFailed", $metadata: { httpStatusCode: 412 } })
  })

  it("and gets the errors of S3", verifies("s3.errors"), async () => {
    const get = (Key: string) => client.send(new GetObjectCommand({ Bucket, Key }))
    await expect(get("none")).rejects.toMatchObject({ name: "NoSuchKey", $metadata: { httpStatusCode: 404 } })
    for (const folder of ["b", "b/"]) await expect(get(folder)).rejects.toMatchObject({ name: "NoSuchKey" })
    await expect(get("x".repeat(1025))).rejects.toMatchObject({ name: "KeyTooLongError" })
    for (const path of ["a//b", "/a", "b/../a.txt", "a%00"]) {
      const answer = await callS3({ server: s3.server, key }, "GET", `/s3/default.a/${path}`)
      expect([path, answer.status, answer.text]).toEqual([
        path,
        400,
        expect.stringContaining("<Code>InvalidArgument</Code>"),
      ])
    }
    const wrong = s3.client({ ...key, secret: "wrong" })
    await expect(wrong.send(new GetObjectCommand({ Bucket, Key: "a.txt" }))).rejects.toMatchObject({
      name: "SignatureDoesNotMatch",
      $metadata: { httpStatusCode: 403 },
    })
    for (const parameter of [
      "acl",
      "tagging",
      "policy",
      "versionId=1",
      "partNumber=1",
      "response-content-type=text%2Fhtml",
      "torrent",
    ]) {
      const path = `/s3/default.a/a.txt?${parameter}`
      const answer = await callS3({ server: s3.server, key }, "GET", path)
      expect([parameter, answer.status]).toEqual([parameter, 501])
      expect(answer.text).toContain(`the parameter '${parameter.split("=")[0]}'`)
    }
  })
})

describe("a presigned URL", () => {
  it("reads one file until it expires, and is not logged", verifies("s3.presigned"), async () => {
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "b/c/3" }), { expiresIn: 60 })
    expect(await (await fetch(url)).text()).toBe("text of b/c/3")
    expect((await fetch(url.replace("b/c/3", "b/1"))).status).toBe(403)
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403)
    const old = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "a.txt" }), {
      expiresIn: 60,
      signingDate: new Date(Date.now() - 61_000),
    })
    const expired = await fetch(old)
    expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining("<Code>AccessDenied</Code>")])
    expect(s3.server.log()).not.toContain(new URL(url).searchParams.get("X-Amz-Signature"))
  })
})

it("hyparquet reads some columns of a file by a presigned URL, in ranges", verifies("s3.clients"), async () => {
  const numbers = Array.from({ length: 50_000 }, (_, index) => index)
  const file = parquetWriteBuffer({
    columnData: [
      { name: "id", data: numbers, type: "INT32" },
      { name: "text", data: numbers.map((number) => `text of ${number}, which is longer than its number`) },
    ],
    rowGroupSize: 5000,
  })
  const headers = { authorization: `Bearer ${s3.root}` }
  await s3.server.call("PUT", `${FILES}/default/filesets/a/-/rows.parquet`, { body: new Uint8Array(file), headers })
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "rows.parquet" }), { expiresIn: 60 })
  let read = 0
  const counted: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    read += Number(answer.headers.get("content-length"))
    return answer
  }
  const remote = await asyncBufferFromUrl({ url, fetch: counted })
  const rows = await parquetReadObjects({
    file: remote,
    metadata: await parquetMetadataAsync(remote, { initialFetchSize: 2 ** 16 }),
    columns: ["id"],
    rowStart: 30_000,
    rowEnd: 30_002,
  })
  expect(rows).toEqual([{ id: 30_000 }, { id: 30_001 }])
  expect(read).toBeLessThan(file.byteLength / 2)
  await s3.server.call("DELETE", `${FILES}/default/filesets/a/-/rows.parquet`, { headers })
})

it("A URL that was presigned with version 2 reads one file, and is not logged", verifies("s3.presigned"), async () => {
  const path = `/s3/${Bucket}/b/c/3`
  const expires = Math.floor(Date.now() / 1000) + 60
  const signature = createHmac("sha1", key.secret).update(`GET\n\n\n${expires}\n${path}`).digest("base64")
  const query = new URLSearchParams({ AWSAccessKeyId: key.access_key, Signature: signature, Expires: String(expires) })
  const url = `${s3.server.url}${path}?${query.toString()}`
  expect(await (await fetch(url)).text()).toBe("text of b/c/3")
  expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403)
  expect((await fetch(`${url}&prefix=b`)).status).toBe(400)
  expect(s3.server.log()).not.toContain(new URLSearchParams({ Signature: signature }).toString())
})

/** Starts a proxy that maps its own host to `/s3`, and changes nothing else. */
async function startProxy() {
  const { hostname, port } = new URL(s3.server.url)
  const proxy = createServer((request, response) => {
    const { method, headers, url = "" } = request
    const forwarded = sendRequest({ hostname, port, method, headers, path: `/s3${url}`, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const { port: own } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${own}`, [Symbol.asyncDispose]: () => promisify(proxy.close.bind(proxy))() }
}

it("A client of a proxy with a host of its own reads filesets", verifies("s3.signature"), async () => {
  await using proxy = await startProxy()
  const behind = s3.client(key, { endpoint: proxy.url })
  const { Body } = await behind.send(new GetObjectCommand({ Bucket, Key: "b/c/3" }))
  expect(await Body?.transformToString()).toBe("text of b/c/3")
  const { Contents = [] } = await behind.send(new ListObjectsV2Command({ Bucket, Prefix: "b/" }))
  expect(Contents).toHaveLength(3)
  behind.destroy()
})
