import { createHash } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { createHttpFetch } from "@assay/http/node"
import { type LoopbackHandler, type LoopbackServer, startLoopbackServer, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readTree } from "../../testing/read-tree.ts"
import { runCommand, type RunOptions, type RunResult } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let folder: TemporaryFolder
let server: LoopbackServer | undefined
beforeEach(() => {
  folder = makeTemporaryFolder()
})
afterEach(async () => {
  folder[Symbol.dispose]()
  await server?.close()
  server = undefined
})

const inside = (...names: string[]): string => join(folder.path, ...names)

/** Runs a command against a server whose responses `handle` writes. */
async function runAgainst(
  handle: LoopbackHandler,
  words: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  server ??= await startLoopbackServer(handle)
  const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: inside("cache") }
  return runCommand(words, { cwd: folder.path, env, ...options })
}

interface FakeFile {
  readonly path: unknown
  readonly content: string | Buffer
  /** Fields of the listing that differ from the file. */
  readonly claims?: Readonly<Record<string, unknown>>
}

type Read = (path: string, ...args: Parameters<LoopbackHandler>) => void

/** Serves a fileset correctly, except for the parts that a test changes. */
function fileset(files: readonly FakeFile[], read?: Read): LoopbackHandler {
  const infos = files.map(({ path, content, claims }) => {
    const sha256 = createHash("sha256").update(content).digest("hex")
    return { path, size: Buffer.byteLength(content), etag: `"${sha256}"`, sha256, updated_at: null, ...claims }
  })
  return (request, response) => {
    const [path = "", query] = request.url.split("?")
    if (path.endsWith("/files")) {
      const only = new URLSearchParams(query).get("path")
      response.end(JSON.stringify({ data: infos.filter((info) => only === null || info.path === only) }))
    } else if (path.includes("/-/")) {
      const name = decodeURIComponent(path.split("/-/")[1] ?? "")
      if (read !== undefined) return read(name, request, response)
      const content = Buffer.from(files.find((file) => file.path === name)?.content ?? "")
      response.writeHead(200, { "content-length": content.length }).end(content)
    } else response.end("{}")
  }
}

describe("assay pull from a hostile server", () => {
  it("never writes outside the folder, with any paths in the listing", async () => {
    const paths = [
      "../evil",
      "/evil",
      "C:\\evil",
      "a/../../evil",
      "a//evil",
      "evil\\evil",
      "evil\u0000",
      "\u001B[2Jevil",
      "evil\u202Egpj.exe",
      ".",
      "..",
    ]
    const files = [...paths, "good"].toSorted().map((path) => ({ path, content: "x" }))
    const { exitCode, stdout } = await runAgainst(fileset(files), ["pull", "x/y", "./into/b", "--json"])
    expect(exitCode).toBe(2)
    const { failed } = JSON.parse(stdout)
    expect(failed.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths.toSorted())
    expect(new Set(failed.map(({ code }: { code: string }) => code))).toEqual(new Set(["bad_path"]))
    expect(readdirSync(folder.path).toSorted()).toEqual(["cache", "into"])
    expect(readTree(inside("into"))).toEqual({ "b/good": Buffer.from("x").toString("hex") })
    const { stderr } = await runAgainst(fileset(files), ["pull", "x/y", "./into/b"])
    expect(stderr).not.toContain("\u001B")
    expect(stderr).not.toContain("\u202E")
  })

  it.each([
    ["a path that is not a text", [{ path: 5, content: "x" }]],
    ["a negative size", [{ path: "a", content: "x", claims: { size: -1 } }]],
    [
      "paths out of order",
      [
        { path: "b", content: "x" },
        { path: "a", content: "x" },
      ],
    ],
    [
      "a path twice",
      [
        { path: "a", content: "x" },
        { path: "a", content: "x" },
      ],
    ],
  ])("ends at %s", async (_name, files) => {
    const { exitCode, stderr } = await runAgainst(fileset(files), ["pull", "x/y", "./b", "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error.code).toBe("bad_answer")
  })

  it("deletes nothing after an incomplete listing", verifies("cli.sync.delete"), async () => {
    folder.write("b/mine", "x")
    const handle: LoopbackHandler = (request, response) => {
      if (request.url.includes("/files")) {
        response.writeHead(200, { "content-length": 1000 })
        response.write('{"data": [', () => response.destroy())
      } else response.end("{}")
    }
    const { exitCode } = await runAgainst(handle, ["sync", "x/y", "./b", "--delete"])
    expect(exitCode).toBe(2)
    expect(existsSync(inside("b/mine"))).toBe(true)
  })

  it("keeps no file whose bytes do not match the listed digest", verifies("cli.transfer.checksummed"), async () => {
    const files = [
      { path: "bad", content: "promised" },
      { path: "good", content: "kept" },
    ]
    const handle = fileset(files, (name, _request, response) => void response.end(name === "bad" ? "provided" : "kept"))
    const { exitCode, stdout } = await runAgainst(handle, ["pull", "x/y", "./b", "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, failed: [{ path: "bad", code: "checksum_mismatch" }] })
    expect(readTree(inside("b"))).toEqual({ good: Buffer.from("kept").toString("hex") })
  })

  it.each([8, 3_000_000])("never accepts a body of only %i bytes as a complete file", async (size) => {
    const cut: Read = (_name, _request, response) => {
      response.writeHead(200, { "content-length": size })
      response.write("half", () => response.destroy())
    }
    const files = [{ path: "a", content: "x".repeat(size) }]
    const { exitCode, stdout } = await runAgainst(fileset(files, cut), ["pull", "x/y", "./b", "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout).failed).toMatchObject([{ path: "a", code: "server_unreachable" }])
    expect(readdirSync(inside("b"))).toEqual([])
  })

  it("retries if a body is cut off, and keeps the second one", async () => {
    let tries = 0
    const cutOnce: Read = (_name, _request, response) => {
      tries += 1
      response.writeHead(200, { "content-length": 8 })
      if (tries === 1) response.write("half", () => response.destroy())
      else response.end("whole...")
    }
    const { exitCode } = await runAgainst(fileset([{ path: "a", content: "whole..." }], cutOnce), [
      "pull",
      "x/y",
      "./b",
    ])
    expect(exitCode).toBe(0)
    expect(readTree(inside("b"))).toEqual({ a: Buffer.from("whole...").toString("hex") })
  })

  it(
    "resumes a large file where it was cut off, and discards bytes of another version",
    verifies("cli.transfer.resumable"),
    async () => {
      const content = Buffer.alloc(70_000_000, "0123456789abcdef-")
      const ranges: (string | undefined)[] = []
      const cutFirst: Read = (_name, { headers }, response) => {
        ranges.push(headers.range)
        const start = Number(/^bytes=(\d+)-69999999$/.exec(headers.range ?? "")?.[1] ?? 0)
        const rest = content.subarray(start)
        const part = start === 0 ? {} : { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }
        response.writeHead(start === 0 ? 200 : 206, { "content-length": rest.length, ...part })
        if (ranges.length === 1) response.write(rest.subarray(0, 20_000_000), () => response.destroy())
        else response.end(rest)
      }
      folder.write(`b/.${"0".repeat(32)}.assay-partial`, "of another version")
      const { exitCode } = await runAgainst(fileset([{ path: "a", content }], cutFirst), ["pull", "x/y", "./b"])
      expect(exitCode).toBe(0)
      expect(ranges).toHaveLength(2)
      expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-69999999$/)
      expect(readdirSync(inside("b"))).toEqual(["a"])
      const sha256 = createHash("sha256")
        .update(Buffer.from(readTree(inside("b"))["a"] ?? "", "hex"))
        .digest("hex")
      expect(sha256).toBe(createHash("sha256").update(content).digest("hex"))
    },
  )

  it("gives up on a server that sends nothing", async () => {
    const { exitCode, stderr } = await runAgainst(() => undefined, ["pull", "x/y", "./b"], {
      fetch: createHttpFetch({ idleTimeout: 30 }),
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("it was silent for too long")
  })

  it("ends if the server cannot be reached, instead of failing file by file", async () => {
    const files = Array.from({ length: 1000 }, (_, at) => ({ path: `f${String(at).padStart(4, "0")}`, content: "x" }))
    const handle = fileset(files, (_name, { raw }) => {
      raw.socket.destroy()
      void server?.close()
    })
    const { exitCode, stdout, stderr } = await runAgainst(handle, ["pull", "x/y", "./b", "--json"])
    expect(exitCode).toBe(2)
    expect(stdout).toBe("")
    expect(JSON.parse(stderr).error.code).toBe("server_unreachable")
    expect(readdirSync(inside("b"))).toEqual([])
  })

  it.each([
    ["HTML", "<html>Welcome to the hotel network</html>"],
    ["a list", "[]"],
    ["an object without data", "{}"],
  ])("fails with bad_answer if the listing is %s", async (_name, body) => {
    const { exitCode, stderr } = await runAgainst(
      (_request, response) => void response.end(body),
      ["pull", "x/y", "./b", "--json"],
    )
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error.code).toBe("bad_answer")
  })
})

describe("assay push or pull", () => {
  const refuse =
    (status: number, code: string): LoopbackHandler =>
    (request, response) => {
      if (request.url.endsWith("/bad") && request.method === "PUT") {
        response.writeHead(status).end(JSON.stringify({ detail: "Refused.", code }))
      } else response.end(request.url.includes("/files") ? '{"data": []}' : "{}")
    }

  it("reports a file that the server refuses, and moves the other files", async () => {
    for (const name of ["bad", "good", "other"]) folder.write(`a/${name}`, name)
    const { exitCode, stdout } = await runAgainst(refuse(400, "bad_path"), ["push", "./a", "x/y", "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      files: 2,
      failed: [{ path: "bad", code: "bad_path", message: "Refused." }],
    })
  })

  it.each([
    [403, "forbidden"],
    [405, "method_not_allowed"],
    [507, "disk_full"],
  ])("ends at status %i, because every file would meet it", async (status, code) => {
    for (let at = 0; at < 200; at += 1) folder.write(`a/${at}/bad`, "x")
    const { exitCode, stderr } = await runAgainst(refuse(status, code), ["push", "./a", "x/y", "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error.code).toBe(code)
    expect(server?.requests.filter(({ method }) => method === "PUT").length).toBeLessThan(50)
  })

  it(
    "sends every file with its digest, and retries if the server is busy",
    verifies("cli.transfer.checksummed"),
    async () => {
      folder.write("a/file", "content")
      let tries = 0
      const busyOnce: LoopbackHandler = ({ method, url }, response) => {
        if (method === "PUT") {
          tries += 1
          response.writeHead(tries === 1 ? 503 : 200, { "retry-after": "1" })
          response.end('{"detail": "Busy.", "code": "unavailable"}')
        } else response.end(url.includes("/files") ? '{"data": []}' : "{}")
      }
      expect((await runAgainst(busyOnce, ["push", "./a", "x/y"])).exitCode).toBe(0)
      const puts = server?.requests.filter(({ method }) => method === "PUT") ?? []
      expect(puts.map(({ headers }) => headers["x-checksum-sha256"])).toEqual(
        Array.from({ length: 2 }, () => createHash("sha256").update("content").digest("hex")),
      )
    },
  )

  it(
    "pulls no file with a bidirectional control character in its name, and pulls the others",
    verifies("files.path.bidirectional-controls"),
    async () => {
      const odd = "report\u202egpj.exe"
      const pulled = await runAgainst(
        fileset([
          { path: "a.txt", content: "a" },
          { path: odd, content: "hostile" },
        ]),
        ["pull", "x/y", "./b", "--json"],
      )
      expect([pulled.exitCode, JSON.parse(pulled.stdout).failed]).toEqual([
        2,
        [expect.objectContaining({ code: "bad_path" })],
      ])
      expect(Object.keys(readTree(inside("b")))).toEqual(["a.txt"])
      expect(pulled.stderr).not.toContain("\u202e")
    },
  )

  it("moves at most --parallel files at the same time", verifies("cli.transfer.parallel"), async () => {
    for (let at = 0; at < 40; at += 1) folder.write(`a/${at}`, "x")
    let running = 0
    let most = 0
    const slow: LoopbackHandler = async ({ method, url }, response) => {
      if (method === "PUT") {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running -= 1
      }
      response.end(url.includes("/files") ? '{"data": []}' : "{}")
    }
    await runAgainst(slow, ["push", "./a", "x/y", "--parallel", "3"])
    expect(most).toBe(3)
  })
})
