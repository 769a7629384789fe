import { createHash, randomFillSync } from "node:crypto"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { createHttpFetch } from "@assay/http/node"
import { verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { ODD_FILES } from "../../testing/odd-names.ts"
import { readTree } from "../../testing/read-tree.ts"
import { runCommand, type RunOptions, type RunResult } from "../../testing/run-command.ts"
import { startAssay } from "../../testing/start-assay.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

/** Enough files to interrupt a transfer before it ends. */
const FILES = 300

let server: TestServer
let folder: TemporaryFolder
let number = 0
/** Name of the fileset of the running test. */
let name = ""

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = makeTemporaryFolder()
  number += 1
  name = `set-${number}`
})
afterEach(() => folder[Symbol.dispose]())

const inside = (...names: string[]): string => join(folder.path, ...names)

function environment(): Record<string, string> {
  return { ASSAY_URL: server.url, XDG_CACHE_HOME: inside("cache") }
}

function assay(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runCommand(words, { cwd: folder.path, env: environment(), ...options })
}

describe("assay push and pull", () => {
  it(
    "copy a folder to a fileset and back, byte by byte, with any file name",
    verifies("cli.push", "cli.pull", "cli.exit.done"),
    async () => {
      for (const [path, content] of Object.entries(ODD_FILES)) folder.write(`a/${path}`, content)
      folder.write("a/medium.bin", randomFillSync(Buffer.alloc(3_000_000)))
      const pushed = await assay(["push", "./a", name, "--purpose", "dataset"])
      expect(pushed.stderr).toMatch(
        new RegExp(
          `^created the fileset default/${name} \\(dataset\\)\npushed ${Object.keys(ODD_FILES).length + 1} files`,
        ),
      )
      expect(pushed.exitCode).toBe(0)
      const pulled = await assay(["pull", `default/${name}`, "./b"])
      expect(pulled.stderr).toMatch(/^pulled \d+ files .* from default\/set-\d+, in /)
      expect(pulled.exitCode).toBe(0)
      expect(readTree(inside("b"))).toEqual(readTree(inside("a")))
    },
  )

  it(
    "move no file twice, and move a file again if it changed at the same size",
    verifies("cli.transfer.only-changes"),
    async () => {
      folder.write("a/same", "same")
      folder.write("a/other", "before")
      await assay(["push", "./a", name])
      expect(JSON.parse((await assay(["push", "./a", name, "--json"])).stdout)).toMatchObject({
        files: 0,
        unchanged: 2,
      })
      expect(JSON.parse((await assay(["pull", name, "./a", "--json"])).stdout)).toMatchObject({
        files: 0,
        unchanged: 2,
      })
      folder.write("a/other", "after!")
      expect(JSON.parse((await assay(["push", "./a", name, "--json"])).stdout)).toMatchObject({
        files: 1,
        bytes: 6,
        unchanged: 1,
      })
      expect((await assay(["cat", `${name}#other`])).stdout).toBe("after!")
    },
  )

  it("print both sides and all counts with --json", verifies("cli.json"), async () => {
    folder.write("a/file", "x")
    const { stdout, stderr } = await assay(["push", "./a", name, "--json"])
    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toEqual({
      source: "./a",
      target: `default/${name}`,
      dry_run: false,
      files: 1,
      bytes: 1,
      unchanged: 0,
      deleted: 0,
      skipped: [],
      skipped_counts: {},
      failed: [],
      failed_count: 0,
      duration_ms: expect.any(Number),
    })
  })

  it("send a file again if it changes while it is sent", async () => {
    folder.write("a/file", Buffer.alloc(3_000_000, "before"))
    const after = Buffer.alloc(3_000_000, "after!")
    const through = createHttpFetch()
    let puts = 0
    const { exitCode } = await assay(["push", "./a", name], {
      fetch: async (url, init) => {
        if (init.method === "PUT" && (puts += 1) === 1) folder.write("a/file", after)
        return through(url, init)
      },
    })
    expect(exitCode).toBe(0)
    expect(puts).toBe(2)
    expect((await assay(["cat", `${name}#file`])).stdout).toBe(after.toString())
  })

  it("accept a folder of a fileset as a side", async () => {
    folder.write("a/x", "in train")
    await assay(["push", "./a", `${name}#train/part`])
    expect((await assay(["cat", `${name}#train/part/x`])).stdout).toBe("in train")
    await assay(["pull", `${name}#train/`, "./b"])
    expect(Object.keys(readTree(inside("b")))).toEqual(["part/x"])
  })

  it("report a file name that the server refuses, and move the other files", async () => {
    folder.write("a/good", "x")
    folder.write("a/back\\slash", "x")
    folder.write("a/new\nline", "x")
    const { exitCode, stdout } = await assay(["push", "./a", name, "--json"])
    expect(exitCode).toBe(2)
    const { files, failed } = JSON.parse(stdout)
    expect(files).toBe(1)
    expect(failed).toMatchObject([
      { path: "back\\slash", code: "bad_path" },
      { path: "new\nline", code: "bad_path" },
    ])
  })

  it("create nothing in a dry run", async () => {
    folder.write("a/file", "x")
    expect((await assay(["push", "./a", name, "--dry-run"])).stdout).toBe("new      file\n")
    const { exitCode, stderr } = await assay(["fileset", "get", name])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("\n    assay fileset list --workspace default\n")
  })

  it("refuse a fileset, a workspace or a folder that does not exist", async () => {
    expect((await assay(["pull", name, "./b"])).stderr).toContain(`Fileset '${name}' not found in workspace 'default'`)
    expect(existsSync(inside("b"))).toBe(false)
    folder.write("a/file", "x")
    expect((await assay(["push", "./a", "nowhere/x"])).stderr).toContain("'nowhere'")
    expect((await assay(["push", "./missing", name])).exitCode).toBe(2)
  })
})

describe("assay sync", () => {
  it(
    "makes a fileset equal to a folder, and another fileset equal to the first",
    verifies("cli.sync", "cli.sync.delete"),
    async () => {
      folder.write("a/one", "1")
      folder.write("a/two/file", "2")
      folder.write("old/one/file", "in the way of one")
      folder.write("old/three", "3")
      await assay(["push", "./old", name])
      const { stderr, exitCode } = await assay(["sync", "./a", name, "--delete"])
      expect(exitCode).toBe(0)
      expect(stderr).toContain("2 deleted")
      expect((await assay(["sync", name, `${name}-copy`])).exitCode).toBe(0)
      expect((await assay(["sync", `${name}-copy`, "./b/"])).exitCode).toBe(0)
      expect(readTree(inside("b"))).toEqual(readTree(inside("a")))
    },
  )
})

describe("a transfer that is interrupted", { timeout: 60_000 }, () => {
  /** Waits until the server has a file of the transfer. */
  const hasFiles = () =>
    vi.waitUntil(async () => (await assay(["ls", name])).stdout !== "", { timeout: 15_000, interval: 10 })

  it("leaves only complete files, and is resumed by the same command", verifies("cli.transfer.resumable"), async () => {
    for (let at = 0; at < FILES; at += 1) folder.write(`a/${at}`, `file ${at}`)
    const first = startAssay(["push", "./a", name], { cwd: folder.path, env: environment() })
    await hasFiles()
    first.child.kill("SIGKILL")
    await first.ended
    const files: { path: string; sha256: string }[] = JSON.parse((await assay(["ls", name, "--json"])).stdout).data
    for (const { path, sha256 } of files) expect(sha256).toBe(createHash("sha256").update(`file ${path}`).digest("hex"))
    expect(files.length).toBeLessThan(FILES)
    const again = JSON.parse((await assay(["push", "./a", name, "--json"])).stdout)
    expect(again.unchanged).toBeGreaterThanOrEqual(files.length)
    expect(again.files + again.unchanged).toBe(FILES)
  })

  it("resumes a large file where it stopped", verifies("cli.transfer.resumable"), async () => {
    const content = randomFillSync(Buffer.alloc(70_000_000))
    folder.write("a/large", content)
    const stop = new AbortController()
    const through = createHttpFetch()
    const sent: number[] = []
    async function* interruptedBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let length = 0
      for await (const part of body) {
        yield part
        length += part.length
        if (length > 40_000_000) stop.abort()
      }
    }
    const interrupted = await assay(["push", "./a", name], {
      signal: stop.signal,
      fetch: (url, init) => {
        const isStream = init.method === "PATCH" && typeof init.body === "object" && Symbol.asyncIterator in init.body
        return through(url, isStream ? { ...init, body: interruptedBody(init.body) } : init)
      },
    })
    expect(interrupted.exitCode).toBe(130)
    expect(interrupted.stderr).toContain("Run the same command again")
    const { exitCode } = await assay(["push", "./a", name], {
      fetch: async (url, init) => {
        if (init.method === "PATCH") sent.push(Number(init.headers["content-length"]))
        return through(url, init)
      },
    })
    expect(exitCode).toBe(0)
    // The server may still hold the upload for the first command when the second one begins.
    expect(sent.at(-1)).toBeLessThan(content.length)
    const [file] = JSON.parse((await assay(["ls", name, "--json"])).stdout).data
    expect(file).toMatchObject({ size: content.length, sha256: createHash("sha256").update(content).digest("hex") })
    await assay(["pull", name, "./b"])
    expect(readFileSync(inside("b/large")).equals(content)).toBe(true)
  })

  it("leaves no incomplete file in the folder, and a later run finishes it", async () => {
    for (let at = 0; at < FILES; at += 1) folder.write(`a/${at}`, `file ${at}`)
    await assay(["push", "./a", name])
    const first = startAssay(["pull", name, "./b"], { cwd: folder.path, env: environment() })
    const arrived = () =>
      (existsSync(inside("b")) ? readdirSync(inside("b")) : []).filter((path) => !path.startsWith("."))
    await vi.waitUntil(() => arrived().length > 0, { timeout: 15_000, interval: 2 })
    first.child.kill("SIGKILL")
    await first.ended
    const whole = arrived()
    expect(whole.length).toBeGreaterThan(0)
    for (const path of whole) expect(readFileSync(inside("b", path), "utf8")).toBe(`file ${path}`)
    expect((await assay(["pull", name, "./b"])).exitCode).toBe(0)
    expect(readTree(inside("b"))).toEqual(readTree(inside("a")))
  })

  it("ends with exit code 130 after Ctrl-C and says how to resume", verifies("cli.exit.interrupted"), async () => {
    for (let at = 0; at < FILES; at += 1) folder.write(`a/${at}`, `file ${at}`)
    const { child, ended } = startAssay(["push", "./a", name], { cwd: folder.path, env: environment() })
    await hasFiles()
    child.kill("SIGINT")
    const { exitCode, stderr } = await ended
    expect(exitCode).toBe(130)
    expect(stderr).toContain("Run the same command again to continue.")
  })
})

describe("assay ls, cat and rm", () => {
  beforeEach(async () => {
    for (const path of ["a", "ab", "folder/b", "folder/c"]) folder.write(`x/${path}`, `bytes of ${path}`)
    await assay(["push", "./x", name])
  })

  it("ls lists files with their sizes, or as records with --json", verifies("cli.ls"), async () => {
    const { stdout } = await assay(["ls", name])
    expect(stdout.split("\n").map((line) => line.split(/\s{2,}/).at(-1))).toEqual([
      "a",
      "ab",
      "folder/b",
      "folder/c",
      "",
    ])
    expect(stdout).toMatch(/^ {6}10 B {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}a\n/)
    const { data } = JSON.parse((await assay(["ls", `${name}#folder`, "--json"])).stdout)
    expect(data).toMatchObject([{ path: "folder/b", file_ref: `default/${name}#folder/b` }, { path: "folder/c" }])
  })

  it("ls prints an empty list for an empty fileset, and refuses a path that does not exist", async () => {
    await assay(["fileset", "create", `${name}-empty`])
    expect(JSON.parse((await assay(["ls", `${name}-empty`, "--json"])).stdout)).toEqual({ data: [] })
    const { exitCode, stderr } = await assay(["ls", `${name}#nothing`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`File 'nothing' not found in fileset 'default/${name}'`)
  })

  it("cat prints the bytes of several files and of ranges", verifies("cli.cat"), async () => {
    expect((await assay(["cat", `${name}#a`, `${name}#folder/b`])).stdout).toBe("bytes of abytes of folder/b")
    for (const [range, bytes] of [
      ["0-4", "bytes"],
      ["6-", "of a"],
      ["-1", "a"],
    ]) {
      expect((await assay(["cat", `${name}#a`, "--range", range ?? ""])).stdout).toBe(bytes)
    }
    expect((await assay(["cat", `${name}#a`, "--range", "some"])).stderr).toContain("'some' is not a range")
    expect((await assay(["cat", `${name}#nothing`])).exitCode).toBe(2)
  })

  it("rm deletes a file, or a folder with --recursive", verifies("cli.rm"), async () => {
    expect((await assay(["rm", `${name}#folder`, "--yes"])).exitCode).toBe(2)
    expect((await assay(["rm", `${name}#a`, "--yes"])).stdout).toBe("deleted 1 file\n")
    expect(JSON.parse((await assay(["rm", "-r", `${name}#folder`, "--yes", "--json"])).stdout)).toEqual({ deleted: 2 })
    expect((await assay(["ls", name])).stdout).toMatch(/ ab\n$/)
    expect((await assay(["rm", "-r", `${name}#folder`, "--yes"])).exitCode).toBe(2)
  })

  it("rm asks on a terminal before it deletes, and stops if the answer is no", async () => {
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    const refused = await assay(["rm", `${name}#a`], { isTerminal, input: "n\n" })
    expect(refused.stderr).toContain(`Delete default/${name}#a? [y/N]`)
    expect(refused.exitCode).toBe(2)
    expect((await assay(["cat", `${name}#a`])).exitCode).toBe(0)
    expect((await assay(["rm", `${name}#a`], { isTerminal, input: "y\n" })).exitCode).toBe(0)
    expect((await assay(["rm", `${name}#ab`, "--yes"], { isTerminal })).exitCode).toBe(0)
  })
})
