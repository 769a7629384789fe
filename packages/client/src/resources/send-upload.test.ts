import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createHttpFetch } from "@assay/http/node"
import { startLoopbackServer, type LoopbackHandler, type LoopbackServer } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import { createClient } from "../create-client.ts"
import { sendUpload, type SendUploadOptions } from "./send-upload.ts"
import type { UploadAddress } from "./uploads.ts"

const servers: LoopbackServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

interface TusServer {
  readonly server: LoopbackServer
  readonly stored: Map<string, Buffer>
  readonly metadata: string[]
  /** Digests, with their uploads and the bytes that these had. */
  readonly announced: string[]
}

/** Implements the parts of tus that a correct server needs. `disturb` can break a PATCH off, and then returns true. */
async function startTusServer(
  disturb: (...exchange: Parameters<LoopbackHandler>) => boolean = () => false,
): Promise<TusServer> {
  const stored = new Map<string, Buffer>()
  const metadata: string[] = []
  const announced: string[] = []
  const server = await startLoopbackServer((request, response) => {
    const { method, headers, body } = request
    const id = request.url.split("/").at(-1) ?? ""
    const bytes = stored.get(id) ?? (method === "PUT" ? stored.get(request.url.split("/").at(-2) ?? "") : undefined)
    if (method === "POST") {
      const name = `up${stored.size + 1}`
      stored.set(name, Buffer.alloc(0))
      metadata.push(String(headers["upload-metadata"]))
      response.writeHead(201, { location: `https://elsewhere.example/uploads/${name}` }).end()
    } else if (bytes === undefined) response.writeHead(404).end()
    else if (method === "HEAD") response.writeHead(200, { "upload-offset": String(bytes.length) }).end()
    else if (method === "PUT") {
      announced.push(`${request.url.split("/").at(-2)} ${String(headers["x-checksum-sha256"])} at ${bytes.length}`)
      response.writeHead(204).end()
    } else if (method === "DELETE") {
      stored.delete(id)
      response.writeHead(204).end()
    } else if (!disturb(request, response)) {
      const sum = createHash("sha256").update(body).digest("base64")
      const { "upload-checksum": checksum = `sha256 ${sum}`, "upload-offset": offset } = headers
      const fits = checksum === `sha256 ${sum}` && offset === String(bytes.length)
      if (fits) stored.set(id, Buffer.concat([bytes, body]))
      response.writeHead(fits ? 204 : 409, { "upload-offset": String(stored.get(id)?.length) }).end()
    }
  })
  servers.push(server)
  return { server, stored, metadata, announced }
}

const content = Buffer.from("0123456789".repeat(3))
const read = async (start: number, end: number) => new Uint8Array(content.subarray(start, end))

function send(server: LoopbackServer, options: Partial<SendUploadOptions> = {}): Promise<void> {
  const { uploads } = createClient({ url: server.url, fetch: options.stream === undefined ? fetch : createHttpFetch() })
  const upload = { path: "räume/a", size: content.length, sha256: "ab" }
  return sendUpload(uploads, {
    workspace: "w",
    fileset: "f",
    upload,
    read,
    pieceSize: 8,
    pause: async () => undefined,
    ...options,
  })
}

describe("a resumable upload", () => {
  it("sends the file piece by piece, with its path and digest as metadata", async () => {
    const { server, stored, metadata } = await startTusServer()
    const offsets: number[] = []
    await send(server, { onOffset: (offset) => offsets.push(offset) })
    expect(stored.get("up1")).toEqual(content)
    expect(offsets).toEqual([8, 16, 24, 30])
    expect(metadata).toEqual([
      `path ${Buffer.from("räume/a").toString("base64")},sha256 ${Buffer.from("ab").toString("base64")}`,
    ])
  })

  it("stays on the server where it was started, wherever Location points", async () => {
    const { server } = await startTusServer()
    await send(server)
    expect(server.requests.at(-1)?.url).toBe("/apis/files/v2/workspaces/w/filesets/f/uploads/up1")
  })

  it("continues at the offset of the server if a piece is cut off", async () => {
    let cuts = 0
    const { server, stored } = await startTusServer(({ raw }) => {
      cuts += 1
      if (cuts !== 2) return false
      raw.socket.destroy()
      return true
    })
    await send(server)
    expect(stored.get("up1")).toEqual(content)
  })

  it("continues an upload of another process", async () => {
    const { server, stored } = await startTusServer()
    let kept: UploadAddress | undefined
    const stop = new AbortController()
    const first = send(server, {
      signal: stop.signal,
      onStart: (upload) => (kept = upload),
      onOffset: () => stop.abort(new Error("killed")),
    })
    await expect(first).rejects.toThrow("killed")
    expect(stored.get("up1")).toHaveLength(8)
    await send(server, kept === undefined ? {} : { resume: kept })
    expect([...stored.keys()]).toEqual(["up1"])
    expect(stored.get("up1")).toEqual(content)
  })

  it("starts again if the kept upload no longer exists", async () => {
    const { server, stored } = await startTusServer()
    await send(server, { resume: { workspace: "w", fileset: "f", id: "long-gone" } })
    expect(stored.get("up1")).toEqual(content)
  })

  it("fails if too many consecutive pieces fail", async () => {
    const { server } = await startTusServer(({ raw }) => {
      raw.socket.destroy()
      return true
    })
    await expect(send(server, { retries: 2 })).rejects.toMatchObject({ code: "server_unreachable" })
  })

  const streaming = {
    upload: { path: "a", size: content.length },
    sha256: async () => "cd",
    async *stream(start: number) {
      for (let at = start; at < content.length; at += 7) yield content.subarray(at, at + 7)
    },
  }

  it("sends all bytes in one request, and announces the digest before the last of them", async () => {
    const { server, stored, announced } = await startTusServer()
    await send(server, streaming)
    expect([stored.get("up1"), announced]).toEqual([content, ["up1 cd at 0"]])
    const patches = server.requests.filter(({ method }) => method === "PATCH")
    expect(patches.map(({ headers }) => headers["content-length"])).toEqual(["30"])
  })

  it("continues a stream at the offset of the server, and announces the digest once", async () => {
    let cuts = 0
    const { server, stored, announced } = await startTusServer(({ raw, body }) => {
      if ((cuts += 1) !== 1) return false
      stored.set("up1", body.subarray(0, 9))
      raw.socket.destroy()
      return true
    })
    await send(server, streaming)
    expect([stored.get("up1"), announced.length, cuts]).toEqual([content, 1, 2])
  })

  it.each([
    ["breaks without an effect", (raw: IncomingMessage) => raw.socket.destroy()],
    [
      "is too long for a proxy",
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(413).end("<html>"),
    ],
  ])("sends pieces after a stream that %s", async (_, refuse) => {
    const { server, stored, announced } = await startTusServer(({ raw, body }, response) => {
      if (body.length <= 8) return false
      refuse(raw, response)
      return true
    })
    await send(server, streaming)
    expect([stored.get("up1"), announced.length]).toEqual([content, 1])
  })

  it("announces the digest of an upload that continues before it sends a byte", async () => {
    const { server, stored, announced } = await startTusServer()
    stored.set("old", content.subarray(0, 10))
    await send(server, { ...streaming, resume: { workspace: "w", fileset: "f", id: "old" } })
    expect([stored.get("old"), announced]).toEqual([content, ["old cd at 10"]])
  })

  it("can be cancelled", async () => {
    const { server, stored } = await startTusServer()
    const { uploads } = createClient({ url: server.url, fetch })
    const upload = await uploads.create("w", "f", { path: "a", size: 3 })
    await uploads.remove(upload)
    expect(stored.size).toBe(0)
    await expect(uploads.offset(upload)).rejects.toMatchObject({ code: "not_found" })
  })
})
