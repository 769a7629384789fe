import { request } from "node:http"
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "./start-fake-objstore.ts"
import type { ObjstoreFault } from "./faults.ts"
import { askRaw, type RawAnswer } from "./testing/ask-raw.ts"
import { connectS3 } from "./testing/connect-s3.ts"

const Bucket = "files"
const path = "/files/a"

let server: FakeObjstore
beforeEach(async () => {
  server = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
  server.write("a", "0123456789")
})
afterEach(() => server.close())

function get(headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return askRaw(server.endpoint, { method: "GET", path, headers })
}

/** Returns the answer to one read with this fault. The next read has no fault. */
async function readWith(fault: ObjstoreFault, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  server.faults.add({ fault, times: 1 })
  return get(headers)
}

describe("bodies with a fault", () => {
  it("are cut after the planned number of bytes", async () => {
    server.faults.add({ fault: { kind: "cut", after: 4 } })
    for (const body of ["0123", ""]) {
      const arrived = await new Promise<string>((resolve) => {
        const pieces: Buffer[] = []
        const { hostname, port } = new URL(server.endpoint)
        request({ hostname, port, path }, (answer) => {
          answer.on("data", (piece: Buffer) => pieces.push(piece))
          answer.on("error", () => resolve(Buffer.concat(pieces).toString()))
        }).end()
      })
      expect(arrived).toBe(body)
      server.faults.clear()
      server.faults.add({ fault: { kind: "cut", after: 0 } })
    }
    server.faults.clear()
    expect((await get()).body.toString()).toBe("0123456789")
  })

  it("end early or have extra bytes although the answer has the requested range", async () => {
    const short = await readWith({ kind: "end-early", after: 2 }, { range: "bytes=0-4" })
    expect(short).toMatchObject({ status: 206, body: Buffer.from("01") })
    expect(short.headers).toMatchObject({ "content-range": "bytes 0-4/10", "transfer-encoding": "chunked" })
    const long = await readWith({ kind: "run-on", extra: 3 }, { range: "bytes=0-4" })
    expect(long).toMatchObject({ status: 206, body: Buffer.from("01234xxx") })
  })

  it("have a wrong byte, or all bytes of another version under its own ETag", async () => {
    expect((await readWith({ kind: "wrong-byte", at: 3 })).body).toEqual(Buffer.from("012\xcc456789", "latin1"))
    const { headers, body } = await get()
    const ifMatch = { "if-match": headers.etag ?? "" }
    const other = await readWith({ kind: "other-version" })
    expect(other.headers.etag).not.toBe(headers.etag)
    expect(other.body).toHaveLength(10)
    expect(other.body).not.toEqual(body)
    expect((await readWith({ kind: "other-version" }, ifMatch)).status).toBe(412)
    expect((await readWith({ kind: "other-version", ignoreIfMatch: true }, ifMatch)).status).toBe(200)
  })

  it("are the whole object although the request has a range", async () => {
    const whole = await readWith({ kind: "ignore-range" }, { range: "bytes=0-4" })
    expect([whole.status, whole.body.toString()]).toEqual([200, "0123456789"])
  })

  it.each([
    ["before the answer", undefined, undefined],
    ["in the middle of it", 4, 4],
  ])("stall %s with the socket open, until the client closes it", async (_, after, sent) => {
    server.faults.add({ times: 1, fault: after === undefined ? { kind: "stall" } : { kind: "stall", after } })
    const { hostname, port } = new URL(server.endpoint)
    const asked = request({ hostname, port, path }, (answer) => answer.on("error", () => {}).resume())
    asked.on("error", () => {}).end()
    await expect.poll(() => server.requests.at(-1)).toMatchObject({ outcome: "open", sent: sent ?? 0 })
    const [stalled] = server.requests.slice(-1)
    // The stalled request is still open after a later one was answered.
    expect((await askRaw(server.endpoint, { method: "GET", path })).body.toString()).toBe("0123456789")
    expect(stalled).toMatchObject({ outcome: "open", sent: sent ?? 0 })
    expect(server.inFlight()).toBe(1)
    asked.destroy()
    await expect.poll(() => server.openConnections()).toBe(0)
    expect(server.inFlight()).toBe(0)
    expect(stalled?.outcome).toBe("broken-off")
  })
})

describe("answers with a fault", () => {
  it("are refusals with Retry-After as often as planned, for the planned requests only", async () => {
    server.faults.add({
      when: ({ operation, headers }) => operation === "GetObject" && headers["range"] !== undefined,
      times: 2,
      fault: { kind: "refuse", status: 503, retryAfter: 7 },
    })
    expect((await get()).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      const { status, headers, body } = await get({ range: "bytes=0-1" })
      expect([status, headers["retry-after"]]).toEqual([503, "7"])
      expect(body.toString()).toContain("<Code>SlowDown</Code>")
    }
    expect((await get({ range: "bytes=0-1" })).status).toBe(206)
  })

  it("are the page of a proxy, or no answer at all", async () => {
    const page = await readWith({ kind: "proxy-page", status: 502 })
    expect([page.status, page.headers["content-type"]]).toEqual([502, "text/html"])
    await expect(readWith({ kind: "hang-up" })).rejects.toThrow(/hang up/)
  })

  it("redirect the client, and the other server records what it sends", async () => {
    const other = await startFakeObjstore({ region: "eu-north-1" })
    const redirect = { kind: "redirect", status: 307, to: other.endpoint, region: other.region } as const
    const { status, headers, body } = await readWith(redirect)
    expect([status, headers.location, headers["x-amz-bucket-region"]]).toEqual([
      307,
      other.endpoint + path,
      "eu-north-1",
    ])
    expect(body.toString()).toContain(`<Endpoint>${new URL(other.endpoint).host}</Endpoint>`)
    await fetch(headers.location ?? "", { headers: { authorization: "AWS a:b" } })
    expect(other.requests).toMatchObject([{ method: "GET", url: path, headers: { authorization: "AWS a:b" } }])
    await other.close()
  })

  it("are late, and slow", async () => {
    server.write("a", { size: 100_000 })
    let begin = performance.now()
    await readWith({ kind: "latency", ms: 60 })
    expect(performance.now() - begin).toBeGreaterThan(59)
    begin = performance.now()
    expect((await readWith({ kind: "rate", bytesPerSecond: 1_000_000 })).body).toHaveLength(100_000)
    expect(performance.now() - begin).toBeGreaterThan(80)
  })
})

describe("uploads with a fault", () => {
  it("are cut while they arrive, and the existing object stays", async () => {
    const client = connectS3(server)
    server.faults.add({ fault: { kind: "cut-upload", after: 100_000 }, times: 1 })
    const Body = Buffer.alloc(1_000_000)
    await expect(client.send(new PutObjectCommand({ Bucket, Key: "a", Body }))).rejects.toThrow(
      /ECONNRESET|EPIPE|hang up/,
    )
    expect(server.read("a").toString()).toBe("0123456789")
    await expect.poll(() => server.requests.at(-1)?.outcome).toBe("broken-off")
  })

  it("end in an error under status 200, in an empty ETag, or in silence", async () => {
    const client = connectS3(server)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "b" }))
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket, Key: "b", UploadId, PartNumber: 1, Body: "hello" }),
    )
    const input = { Bucket, Key: "b", UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }
    const complete = () => client.send(new CompleteMultipartUploadCommand(input))
    server.faults.add({ fault: { kind: "refuse", status: 200 }, times: 1 })
    await expect(complete()).rejects.toMatchObject({ name: "InternalError" })
    expect(server.openUploads()).toHaveLength(1)
    server.faults.add({ fault: { kind: "empty-etag" }, times: 1 })
    expect((await complete()).ETag).toBe("")
    expect(server.objects()).toEqual(["a", "b"])
    expect(server.openUploads()).toEqual([])
    server.faults.add({ fault: { kind: "cut", after: 0 }, times: 1 })
    await expect(client.send(new CreateMultipartUploadCommand({ Bucket, Key: "c" }))).rejects.toThrow()
    expect(server.openUploads()).toMatchObject([{ key: "c" }])
  })
})

it("reports how many requests are answered at the same time", async () => {
  server.faults.add({ fault: { kind: "latency", ms: 30 } })
  await Promise.all([get(), get(), get()])
  expect(server.requests.map(({ beside }) => beside)).toEqual([0, 1, 2])
  await expect.poll(() => server.inFlight()).toBe(0)
})

it("notices that a client has given up a read", async () => {
  server.write("a", { size: 2 ** 30 })
  const abort = new AbortController()
  const client = connectS3(server)
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: "a" }), { abortSignal: abort.signal })
  await expect.poll(() => server.requests.at(-1)?.sent).toBeGreaterThan(0)
  expect([server.inFlight(), server.openConnections()]).toEqual([1, 1])
  abort.abort()
  await expect(Body?.transformToString()).rejects.toThrow()
  await expect.poll(() => [server.inFlight(), server.openConnections()]).toEqual([0, 0])
  expect(server.requests.at(-1)?.sent).toBeLessThan(2 ** 28)
})
