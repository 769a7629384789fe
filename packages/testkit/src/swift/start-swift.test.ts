import { spawn, type ChildProcess } from "node:child_process"
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connectS3 } from "../objstore/testing/connect-s3.ts"
import { findSwift } from "./find-swift.ts"
import type { SwiftAccount } from "./start-swift.ts"

const found = findSwift()
if (!found.isThere) console.warn(`Tests of a real S3 server (OpenStack Swift) are skipped: ${found.reason}.`)

const Bucket = "files"

describe.skipIf(!found.isThere)("Swift, if it is installed", () => {
  let dir: string
  let launcher: ChildProcess
  let endpoint: string
  let client: S3Client

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "assay-launcher-"))
    // The system's folder for temporary files has these rights.
    await chmod(dir, 0o1777)
    const program = `import { startSwift } from ${JSON.stringify(new URL("start-swift.ts", import.meta.url).href)}
      console.log(JSON.stringify(await startSwift({ dir: ${JSON.stringify(dir)} })))
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    launcher = child
    const [line = ""] = await Array.fromAsync(take(createInterface({ input: child.stdout }), 1))
    const account = JSON.parse(line) as SwiftAccount
    endpoint = account.endpoint
    client = connectS3(account)
    await client.send(new CreateBucketCommand({ Bucket }))
  }, 60_000)
  afterAll(async () => {
    launcher.kill("SIGKILL")
    await rm(dir, { recursive: true, force: true })
  })

  it("stores objects, reads ranges of them, and lists them", async () => {
    for (const Key of ["b//c", "a", "ä"]) await client.send(new PutObjectCommand({ Bucket, Key, Body: "0123456789" }))
    const { Body, ContentRange } = await client.send(new GetObjectCommand({ Bucket, Key: "b//c", Range: "bytes=2-4" }))
    expect([await Body?.transformToString(), ContentRange]).toEqual(["234", "bytes 2-4/10"])
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(["a", "b//c", "ä"])
  })

  it("joins the parts of an upload", async () => {
    const Key = "large"
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const pieces = [Buffer.alloc(5 * 1024 * 1024, "a"), Buffer.from("b")]
    const Parts = await Promise.all(
      pieces.map(async (Body, index) => {
        const PartNumber = index + 1
        const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
        return { PartNumber, ETag }
      }),
    )
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
    expect(Buffer.concat(pieces).equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true)
  })

  it("leaves nothing behind when the process that started it is killed", async () => {
    expect(await readdir(dir)).toHaveLength(1)
    launcher.kill("SIGKILL")
    await expect.poll(() => readdir(dir), { timeout: 10_000 }).toEqual([])
    await expect(fetch(endpoint)).rejects.toThrow()
  })
})

async function* take(lines: AsyncIterable<string>, count: number): AsyncIterable<string> {
  for await (const line of lines) {
    yield line
    if (--count === 0) return
  }
}
