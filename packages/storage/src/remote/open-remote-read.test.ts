import { describe, expect, it, vi } from "vitest"
import type { ByteRange } from "../byte-range.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import type { RemoteRead } from "./open-remote-read.ts"
import { answerRange, serveBytes, type Misbehave } from "../testing/serve-bytes.ts"

const BYTES = Buffer.from(sampleBytes(30_500))

async function collect({ bytes, release }: RemoteRead, giveBack = false): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) {
    expect(piece.byteLength).toBeLessThanOrEqual(1000)
    pieces.push(Buffer.from(piece))
    if (giveBack) release(piece)
  }
  return Buffer.concat(pieces)
}

describe("openRemoteRead", () => {
  it("reads a file in parts and in order, whether or not pieces are given back", async () => {
    const server = await serveBytes(BYTES)
    const read = await server.read()
    expect(read).toMatchObject({ size: BYTES.length, headers: { etag: '"one"' } })
    expect((await collect(read)).equals(BYTES)).toBe(true)
    expect((await collect(await server.read(), true)).equals(BYTES)).toBe(true)
    expect(server.asked.slice(0, 3)).toEqual(["bytes=0-3999", "bytes=4000-7999", "bytes=8000-11999"])
  })

  it("sends one request for a file that fits one part", async () => {
    const server = await serveBytes(BYTES.subarray(0, 4000))
    expect((await collect(await server.read())).length).toBe(4000)
    expect(server.asked).toHaveLength(1)
  })

  const ranges: [string, ByteRange, number, number][] = [
    ["within a part", { kind: "from", start: 10, end: 20 }, 10, 20],
    ["over several parts", { kind: "from", start: 3999, end: 20_000 }, 3999, 20_000],
    ["to the end", { kind: "from", start: 25_000 }, 25_000, 30_499],
    ["past the end", { kind: "from", start: 30_000, end: 99_000 }, 30_000, 30_499],
    ["of the last bytes", { kind: "suffix", length: 500 }, 30_000, 30_499],
    ["of more last bytes than a part has", { kind: "suffix", length: 9000 }, 21_500, 30_499],
    ["of more last bytes than there are", { kind: "suffix", length: 40_000 }, 0, 30_499],
    ["of the first byte", { kind: "from", start: 0, end: 0 }, 0, 0],
  ]
  it.each(ranges)("reads a range %s", async (_title, range, start, end) => {
    const server = await serveBytes(BYTES)
    const read = await server.read({ range })
    expect(read.range).toEqual({ start, end })
    expect((await collect(read)).equals(BYTES.subarray(start, end + 1))).toBe(true)
  })

  it("reads an empty file, and refuses ranges of an empty file and ranges past the end", async () => {
    const empty = await serveBytes(Buffer.alloc(0))
    expect(await collect(await empty.read())).toHaveLength(0)
    const refused = { code: "range_not_satisfiable" }
    await expect(empty.read({ range: { kind: "suffix", length: 4 } })).rejects.toMatchObject(refused)
    const server = await serveBytes(BYTES)
    for (const range of [
      { kind: "from", start: 30_500 },
      { kind: "from", start: 7, end: 3 },
      { kind: "suffix", length: 0 },
      { kind: "malformed", header: "bytes=x" },
    ] as const) {
      await expect(server.read({ range })).rejects.toMatchObject({ ...refused, context: { size: 30_500 } })
    }
  })

  it("continues where a body broke off, and waits longer each time", async () => {
    const server = await serveBytes(BYTES.subarray(0, 4000), (request, response, index) => {
      if (index >= 5) return false
      const start = Number(/bytes=(\d+)/.exec(request.headers.range ?? "")?.[1])
      const headers = { "content-range": `bytes ${start}-3999/4000`, "content-length": 4000 - start }
      response.writeHead(206, headers)
      response.write(BYTES.subarray(start, start + 700), () => response.destroy())
      return true
    })
    expect((await collect(await server.read())).equals(BYTES.subarray(0, 4000))).toBe(true)
    expect(server.asked.at(-1)).toBe("bytes=3500-3999")
    expect(server.waits).toEqual([50, 100, 200, 400, 800])
  })

  it("fails if the sixth body of a part breaks off too", async () => {
    const server = await serveBytes(BYTES, (_request, response) => {
      response.writeHead(206, { "content-range": `bytes 0-3999/30500`, "content-length": 4000 })
      response.write("x", () => response.destroy())
      return true
    })
    const read = await server.read()
    // Every further response is for a part that was not requested, so it is refused at once.
    await expect(collect(read)).rejects.toMatchObject({ code: "upstream_failed" })
    const silent = await serveBytes(BYTES, (request, response) => {
      const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? []
      response.writeHead(206, { "content-range": `bytes ${from}-${to}/30500` })
      response.end()
      return true
    })
    await expect(collect(await silent.read({ parallel: 1 }))).rejects.toThrow(/broke off 6 times \(it ended early\)/)
    expect(silent.asked).toHaveLength(6)
  })

  it("refuses more bytes than were announced", async () => {
    const server = await serveBytes(BYTES.subarray(0, 100), (_request, response) => {
      response.writeHead(206, { "content-range": "bytes 0-99/100" })
      response.end(BYTES.subarray(0, 101))
      return true
    })
    await expect(collect(await server.read())).rejects.toThrow(/more bytes came than were announced/)
  })

  it("accepts the whole file as the response only if the whole file was requested", async () => {
    const ignore: Parameters<typeof serveBytes>[1] = (request, response) => {
      delete request.headers.range
      answerRange(BYTES, request, response)
      return true
    }
    const server = await serveBytes(BYTES, ignore)
    expect((await collect(await server.read())).equals(BYTES)).toBe(true)
    expect(server.asked).toHaveLength(1)
    await expect(server.read({ range: { kind: "from", start: 0, end: 5 } })).rejects.toThrow(/ignores ranges/)
  })

  it("refuses a part that was not requested, and a response without a length", async () => {
    const other = await serveBytes(BYTES, (_request, response) => {
      response.writeHead(206, { "content-range": "bytes 1-4000/30500" }).end()
      return true
    })
    await expect(other.read()).rejects.toThrow(/answered 'bytes 1-4000\/30500' to 'bytes=0-3999'/)
    const endless = await serveBytes(BYTES, (_request, response) => {
      response.writeHead(200).end("text")
      return true
    })
    await expect(endless.read()).rejects.toThrow(/without a length/)
  })

  it("never mixes two versions", async () => {
    const server = await serveBytes(BYTES, (_request, response, index) => {
      if (index > 0) response.setHeader("etag", '"two"')
      return false
    })
    await expect(collect(await server.read())).rejects.toMatchObject({ code: "storage_changed" })
  })

  it("repeats a request after a silence, and names the silence in the final error", async () => {
    const silentOnce: Misbehave = (_request, response, index) => {
      if (index > 0) return false
      response.writeHead(206, { "content-range": "bytes 0-1999/2000", "content-length": 2000 })
      response.write(BYTES.subarray(0, 500))
      return true
    }
    const server = await serveBytes(BYTES.subarray(0, 2000), silentOnce, 500)
    expect((await collect(await server.read())).equals(BYTES.subarray(0, 2000))).toBe(true)
    expect(server.asked).toEqual(["bytes=0-3999", "bytes=500-1999"])
    const dead = await serveBytes(BYTES, () => true, 50)
    await expect(dead.read()).rejects.toThrow(/silent for too long/)
  })

  it("continues if the backend is unreachable for a moment", async () => {
    const server = await serveBytes(BYTES, (_request, response, index) => {
      if (index < 2 || index > 12) return false
      response.writeHead(503).end()
      return true
    })
    expect((await collect(await server.read({ parallel: 1 }))).equals(BYTES)).toBe(true)
  })

  it("requests at most `parallel` parts at the same time, however slow the reader is", async () => {
    const server = await serveBytes(BYTES)
    const iterator = (await server.read({ parallel: 3 })).bytes[Symbol.asyncIterator]()
    await iterator.next()
    await vi.waitFor(() => expect(server.asked).toHaveLength(3), 15_000)
    await iterator.return?.()
    expect(server.asked).toHaveLength(3)
  })

  it("closes its connection at once if the reader stops before it starts", async () => {
    const silent = await serveBytes(BYTES, (_request, response) => {
      response.writeHead(206, { "content-range": "bytes 0-3999/30500", "content-length": 4000 })
      response.write("x")
      return true
    })
    const gone = await silent.read()
    expect(await silent.openSockets()).toBe(1)
    await gone.bytes[Symbol.asyncIterator]().return?.()
    // Before the limit on silence would end it.
    await vi.waitFor(async () => expect(await silent.openSockets()).toBe(0), 15_000)
  })

  it("closes its connections if the reader stops in the middle, and if the signal is aborted", async () => {
    const silent = await serveBytes(BYTES, (request, response) => {
      if (request.headers.range === "bytes=0-3999") return false
      response.writeHead(206, { "content-range": "bytes 4000-7999/30500" })
      response.write("x")
      return true
    })
    const begun = (await silent.read()).bytes[Symbol.asyncIterator]()
    await begun.next()
    await begun.return?.()
    const controller = new AbortController()
    const stopped = await silent.read({ signal: controller.signal })
    const before = silent.asked.length
    const reading = collect(stopped)
    await vi.waitFor(() => expect(silent.asked.length).toBeGreaterThan(before), 15_000)
    controller.abort(new Error("enough"))
    await expect(reading).rejects.toThrow("enough")
    // A connection whose response was read to its end may stay open for the next request.
    await vi.waitFor(async () => expect(await silent.openSockets()).toBeLessThanOrEqual(1), 15_000)
  })
})
