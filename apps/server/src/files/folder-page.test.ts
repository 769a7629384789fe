import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, fileCalls } from "../testing/start-files-server.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const run = promisify(execFile)
const ODD = ["a&b<i>.txt", "a:b.txt", "100 %.txt", "q?x#y.txt", "ünï.txt", `'"quoted"'.txt`]

/** Returns whether a program is installed. */
const has = (program: string) =>
  run(program, ["--version"]).then(
    () => true,
    () => false,
  )

const [hasRclone, hasWget] = [await has("rclone"), await has("wget")]

let server: TestServer
let allowed: string
beforeAll(async () => {
  allowed = await mkdtemp(join(tmpdir(), "assay-folders-"))
  server = await startTestServer({ ASSAY_ALLOWED_LOCAL_ROOTS: allowed })
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "bytes" } })
  for (const path of [
    "top.csv",
    "data/1.jsonl",
    "data/2.jsonl",
    "data/deep/er/3.txt",
    ...ODD.map((one) => `odd/${one}`),
  ]) {
    await put(path.split("/").map(encodeURIComponent).join("/"), "x")
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(allowed, { recursive: true })
})

const { put, get } = fileCalls(() => server)
const hrefs = (page: string) => [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href)

describe("A folder of a fileset", () => {
  it("is a page with a link to each file and folder", async () => {
    const root = await get("", { accept: "text/html,*/*" })
    expect([root.status, root.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"])
    expect(hrefs(root.text)).toEqual(["data/", "odd/", "top.csv"])
    expect(hrefs((await get("data/")).text)).toEqual(["../", "deep/", "1.jsonl", "2.jsonl"])
  })

  it("runs nothing, and shows names as they are", async () => {
    const { text, headers } = await get("odd/")
    expect(headers["content-security-policy"]).toContain("default-src 'none'")
    expect(text).toContain("a&amp;b&lt;i&gt;.txt")
    const style = /<style>(.*)<\/style>/.exec(text)?.[1] ?? ""
    expect(headers["content-security-policy"]).toContain(createHash("sha256").update(style).digest("base64"))
    const links = hrefs(text).slice(1)
    expect(links).toHaveLength(ODD.length)
    for (const link of links) {
      const url = new URL(link.replaceAll("&#39;", "'"), `${server.url}${BYTES}/-/odd/`)
      expect((await fetch(url)).status).toBe(200)
    }
  })

  it("is JSON for those who ask for it", async () => {
    const { json, headers } = await get("data/", { accept: "application/json" })
    expect(headers["content-type"]).toContain("application/json")
    expect(json.data.map(({ path }: { path: string }) => path)).toEqual(["data/1.jsonl", "data/2.jsonl"])
    expect(json.folders).toEqual([{ path: "data/deep/", files: 1, bytes: 1 }])
  })

  it("is found without its slash, and by HEAD", async () => {
    const answer = await fetch(`${server.url}${BYTES}/-/data`, { redirect: "manual" })
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "./data/"])
    expect(hrefs(await (await fetch(`${server.url}${BYTES}/-/data/deep`)).text())).toEqual(["../", "er/"])
    expect(hrefs(await (await fetch(`${server.url}${BYTES}/-`)).text())).toContain("data/")
    const head = await server.call("HEAD", `${BYTES}/-/data/`)
    expect([head.status, head.headers["content-type"], head.bytes.length]).toEqual([200, "text/html; charset=utf-8", 0])
  })

  it.each(["none/", "top.csv/", "none", "data/none"])("that does not exist is a 404: %s", async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  it.each(["../", "data//", "/", "data/../"])("has no other path: %s", async (path) => {
    expect([400, 404]).toContain((await get(encodeURI(path).replaceAll("..", "%2e%2e"))).status)
  })

  it("lists more entries than a page of the API has", async () => {
    const names = Array.from({ length: 1001 }, (_, number) => String(number).padStart(4, "0"))
    const folder = await mkdtemp(join(allowed, "many-"))
    await Promise.all(names.map((name) => writeFile(join(folder, name), "x")))
    const storage = { type: "local", path: folder }
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "many", storage } })
    expect(hrefs((await server.call("GET", `${FILES}/default/filesets/many/-/`)).text)).toEqual(names)
  })
})

describe("A file of a fileset", () => {
  it.each([
    ["a.txt", "text/plain; charset=utf-8"],
    ["b.CSV", "text/csv; charset=utf-8"],
    ["c.png", "image/png"],
    ["d.html", "text/plain; charset=utf-8"],
    ["e.svg", "text/plain; charset=utf-8"],
    ["f.js", "text/plain; charset=utf-8"],
    ["g.xhtml", "text/plain; charset=utf-8"],
    ["h.safetensors", "application/octet-stream"],
    ["png", "application/octet-stream"],
    ["i.constructor", "application/octet-stream"],
  ])("has the type of its name, and can't run: %s", async (path, type) => {
    await put(path, "<script>alert(1)</script>")
    const { headers } = await get(path)
    expect(headers["content-type"]).toBe(type)
    expect(headers["content-security-policy"]).toContain("sandbox")
    expect(headers["x-content-type-options"]).toBe("nosniff")
  })
})

describe("Programs that read such pages", () => {
  it.runIf(hasRclone)("rclone copies a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-rclone-"))
    try {
      await run("rclone", ["--config", "", "--http-url", `${server.url}${BYTES}/-/`, "copy", ":http:data", folder])
      expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
        "1.jsonl",
        "2.jsonl",
        "deep",
        "deep/er",
        "deep/er/3.txt",
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.runIf(hasRclone)("rclone lists a file with a colon in its name", async () => {
    await put("colon/a:b.txt", "x")
    const { stdout } = await run("rclone", ["--http-url", `${server.url}${BYTES}/-/colon/`, "lsf", ":http:"])
    expect(stdout).toBe("a:b.txt\n")
    await server.call("DELETE", `${BYTES}/-/colon/a:b.txt`)
  })

  it.runIf(hasWget)("wget copies a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-wget-"))
    try {
      const options = ["--recursive", "--no-parent", "--no-host-directories", "--cut-dirs=8", "--quiet"]
      await run("wget", [...options, "--reject", "index.html", `${server.url}${BYTES}/-/data/`], { cwd: folder })
      const found = await readdir(folder, { recursive: true })
      expect(found).toEqual(expect.arrayContaining(["data/1.jsonl", "data/2.jsonl", "data/deep/er/3.txt"]))
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
