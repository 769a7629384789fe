import { afterEach, describe, expect, it } from "vitest"
import { startLoopbackServer, type LoopbackHandler, type LoopbackServer } from "@assay/testkit"
import { createClient, type Client } from "../create-client.ts"

const servers: LoopbackServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function connect(handle: LoopbackHandler): Promise<{ readonly client: Client; readonly server: LoopbackServer }> {
  const server = await startLoopbackServer(handle)
  servers.push(server)
  return { client: createClient({ url: server.url, fetch }), server }
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function answer(status: number, headers: Record<string, string>, body = ""): LoopbackHandler {
  return (_request, response) => void response.writeHead(status, headers).end(body)
}

function file(path: string) {
  return { path, size: 1, file_url: "", file_ref: "", cache_status: null, etag: null, sha256: null, updated_at: null }
}

/** Serves three pages of one file each. */
const threePages: LoopbackHandler = ({ url }, response) => {
  const token = Number(new URL(url, "http://x").searchParams.get("page_token") ?? 0)
  const more = token < 2 ? { next_page_token: String(token + 1) } : {}
  response.end(JSON.stringify({ data: [file(`f${token}`)], ...more }))
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

/** Returns a page out of `total` pages, with one fileset. */
const page =
  (total: number): LoopbackHandler =>
  ({ url }, response) => {
    const query = new URL(url, "http://x").searchParams
    const number = Number(query.get("page"))
    const pagination = { page: number, page_size: 1, current_page_size: 1, total_pages: total, total_results: total }
    response.end(JSON.stringify({ data: total === 0 ? [] : [{ name: `n${number}` }], pagination }))
  }

describe("read", () => {
  it("streams a whole file with its size and ETag", async () => {
    const { client, server } = await connect(answer(200, { "content-length": "5", etag: '"e"' }, "bytes"))
    const content = await client.files.read("w", "f", "a/b c#?%.txt")
    expect(content).toMatchObject({ size: 5, etag: '"e"' })
    await expect(collect(content.bytes)).resolves.toBe("bytes")
    expect(server.requests[0]?.url).toBe("/apis/files/v2/workspaces/w/filesets/f/-/a/b%20c%23%3F%25.txt")
  })

  it("requests a range of one version and returns which part it is", async () => {
    const { client, server } = await connect(
      answer(206, { "content-length": "3", "content-range": "bytes 2-4/9" }, "tes"),
    )
    const content = await client.files.read("w", "f", "a", {
      range: { start: 2, end: 4 },
      ifRange: '"e"',
      ifMatch: '"e"',
    })
    expect(content).toMatchObject({ size: 9, range: { start: 2, end: 4 } })
    await expect(collect(content.bytes)).resolves.toBe("tes")
    expect(server.requests[0]?.headers).toMatchObject({ range: "bytes=2-4", "if-range": '"e"', "if-match": '"e"' })
  })

  it.each([
    [{ start: 7 }, "bytes=7-"],
    [{ last: 2 }, "bytes=-2"],
  ])("writes the range %j as %s", async (range, header) => {
    const { client, server } = await connect(
      answer(206, { "content-length": "2", "content-range": "bytes 7-8/9" }, "ab"),
    )
    await collect((await client.files.read("w", "f", "a", { range })).bytes)
    expect(server.requests[0]?.headers.range).toBe(header)
  })

  it("fails if the body is shorter than announced", async () => {
    const { client } = await connect((_request, response) => {
      response.writeHead(200, { "content-length": "10" })
      response.write("half", () => response.destroy())
    })
    const content = await client.files.read("w", "f", "a")
    await expect(collect(content.bytes)).rejects.toMatchObject({ code: "server_unreachable" })
  })

  it.each([
    ["without a length", answer(200, {}, "bytes")],
    ["of a part that is not named", answer(206, { "content-length": "5" }, "bytes")],
  ])("refuses an answer %s", async (_name, handle) => {
    const { client } = await connect(handle)
    await expect(client.files.read("w", "f", "a")).rejects.toMatchObject({ code: "bad_answer" })
  })

  it.each(["../secret", "a/./b", "lone \uD800"])("does not send the path %j", async (path) => {
    const { client, server } = await connect(answer(200, {}))
    await expect(client.files.read("w", "f", path)).rejects.toMatchObject({ code: "bad_path" })
    expect(server.requests).toHaveLength(0)
  })
})

describe("write", () => {
  it("streams a body with its length, digest and conditions", async () => {
    const { client, server } = await connect((_request, response) => void response.end(JSON.stringify(file("a"))))
    const written = await client.files.write("w", "f", "a", pieces("one ", "two"), {
      length: 7,
      sha256: "ab",
      ifNoneMatch: "*",
      ifMatch: '"e"',
    })
    expect(written.path).toBe("a")
    const [request] = server.requests
    expect(request?.body.toString()).toBe("one two")
    expect(request?.headers).toMatchObject({
      "content-length": "7",
      "x-checksum-sha256": "ab",
      "if-none-match": "*",
      "if-match": '"e"',
    })
  })

  it("fails if a streamed body is shorter than its length", async () => {
    const { client } = await connect((_request, response) => void response.end(JSON.stringify(file("a"))))
    await expect(client.files.write("w", "f", "a", pieces("short"), { length: 70 })).rejects.toMatchObject({
      code: "server_unreachable",
    })
  })
})

describe("list", () => {
  it("goes through all pages", async () => {
    const { client, server } = await connect(threePages)
    const paths = await Array.fromAsync(client.files.list("w", "f", { path: "a/", limit: 1 }), ({ path }) => path)
    expect(paths).toEqual(["f0", "f1", "f2"])
    expect(server.requests.map(({ url }) => url.split("?")[1])).toEqual([
      "path=a%2F&limit=1",
      "path=a%2F&limit=1&page_token=1",
      "path=a%2F&limit=1&page_token=2",
    ])
  })

  it("can be stopped early", async () => {
    const { client } = await connect(threePages)
    for await (const { path } of client.files.list("w", "f")) {
      expect(path).toBe("f0")
      break
    }
  })

  it("fails on a page without data", async () => {
    const { client } = await connect((_request, response) => void response.end("{}"))
    await expect(Array.fromAsync(client.files.list("w", "f"))).rejects.toMatchObject({ code: "bad_answer" })
  })
})

describe("stat", () => {
  it("finds the file itself, not the files below a folder of that name", async () => {
    const { client } = await connect((_request, response) => void response.end(JSON.stringify({ data: [file("a/b")] })))
    await expect(client.files.stat("w", "f", "a/b")).resolves.toMatchObject({ path: "a/b" })
    await expect(client.files.stat("w", "f", "a")).rejects.toMatchObject({
      code: "not_found",
      message: "File 'a' not found in fileset 'w/f'.",
    })
  })
})

describe("filesets", () => {
  it("lists every page", async () => {
    const { client } = await connect(page(3))
    await expect(Array.fromAsync(client.filesets.list("w"), ({ name }) => name)).resolves.toEqual(["n1", "n2", "n3"])
  })

  it("lists nothing if there is nothing", async () => {
    const { client, server } = await connect(page(0))
    await expect(Array.fromAsync(client.filesets.list("w"))).resolves.toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['purpose:"dataset"', "purpose%3A%22dataset%22"],
    [{ purpose: "dataset" }, "%7B%22purpose%22%3A%22dataset%22%7D"],
  ])("sends the filter %j as %s", async (filter, written) => {
    const { client, server } = await connect(page(1))
    await client.filesets.page("-", { filter, sort: "-name", page: 2, page_size: 5 })
    expect(server.requests[0]?.url).toBe(
      `/apis/files/v2/workspaces/-/filesets?sort=-name&page=2&page_size=5&filter=${written}`,
    )
  })
})
