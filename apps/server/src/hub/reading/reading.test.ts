import { createHash } from "node:crypto"
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type Call, type TestServer } from "../../testing/start-test-server.ts"
import { HUB_PREFIX } from "../hub-address.ts"

let server: TestServer
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const call = (method: string, path: string, options?: Call) => server.call(method, HUB_PREFIX + path, options)
const get = (path: string) => call("GET", path)
const put = (path: string, body: string, name = "set") =>
  server.call("PUT", `${FILES}/default/filesets/${name}/-/${path}`, { body })
const head = async (name = "set") => (await get(`/api/models/default/${name}`)).json.sha as string

async function fill(name: string): Promise<void> {
  await server.call("POST", `${FILES}/default/filesets`, { json: { name, description: "A set" } })
  await put("a.txt", "one", name)
  await put("data/b%20c.txt", "0123456789", name)
  await put("data/deep/d.txt", "two", name)
  await put("data-2.txt", "three", name)
  await put("empty", "", name)
}

beforeAll(async () => {
  server = await startTestServer()
  await fill("set")
})
afterAll(() => server[Symbol.asyncDispose]())

describe("GET resolve", () => {
  it("returns digest, size and commit of a file for HEAD", verifies("hub.resolve-head", "hub.etag"), async () => {
    for (const path of ["/default/set/resolve/main/a.txt", "/datasets/default/set/raw/HEAD/a.txt"]) {
      const { status, headers, bytes } = await call("HEAD", path)
      expect([status, bytes.length]).toEqual([200, 0])
      expect(headers).toMatchObject({
        etag: `"${sha256("one")}"`,
        "x-linked-etag": `"${sha256("one")}"`,
        "x-linked-size": "3",
        "content-length": "3",
        "accept-ranges": "bytes",
        "x-repo-commit": await head(),
      })
    }
  })

  it("returns whole files and ranges, for paths with slashes and with %2F", verifies("hub.resolve-get"), async () => {
    const base = "/spaces/default/set/resolve/main"
    for (const path of [`${base}/data/b%20c.txt`, `${base}/data%2Fb%20c.txt?download=true`]) {
      expect(await get(path)).toMatchObject({ status: 200, text: "0123456789" })
      const range = await call("GET", path, { headers: { range: "bytes=0-0" } })
      expect(range).toMatchObject({ status: 206, text: "0", headers: { "content-range": "bytes 0-0/10" } })
    }
    await put("z%25%2525.txt", "percent")
    expect((await get(`${base}/z%25%2525.txt`)).text).toBe("percent")
    const past = await call("GET", `${base}/a.txt`, { headers: { range: "bytes=3-" } })
    expect(past).toMatchObject({ status: 416, headers: { "content-range": "bytes */3" } })
    const same = await call("GET", `${base}/a.txt`, { headers: { "if-none-match": `"${sha256("one")}"` } })
    expect(same).toMatchObject({ status: 304, headers: { "x-repo-commit": await head() } })
    const other = await call("GET", `${base}/a.txt`, { headers: { range: "bytes=0-0", "if-range": '"other"' } })
    expect(other).toMatchObject({ status: 200, text: "one" })
  })

  it("returns an empty file for a range request, with its size", async () => {
    const probe = await call("GET", "/default/set/resolve/main/empty", { headers: { range: "bytes=0-0" } })
    expect(probe).toMatchObject({ status: 200, text: "", headers: { "content-range": "bytes */0" } })
  })

  it(
    "returns files of an old commit, also if they have changed, and the hub's errors for unknown ones",
    verifies("hub.old-commits", "hub.unknown-commit", "hub.error-words", "hub.code-beside-error"),
    async () => {
      await put("changing", "before")
      const old = await head()
      await put("changing", "after")
      const current = await head()
      expect(current).not.toBe(old)
      const same = await get(`/default/set/resolve/${old}/a.txt`)
      expect(same).toMatchObject({ text: "one", headers: { "x-repo-commit": old } })
      for (const method of ["GET", "HEAD"]) {
        const former = await call(method, `/default/set/resolve/${old}/changing`)
        expect(former).toMatchObject({ status: 200, headers: { "x-repo-commit": old, "x-linked-size": "6" } })
        if (method === "GET") expect(former.text).toBe("before")
        const unknown = await call(method, `/default/set/resolve/${"0".repeat(40)}/a.txt`)
        expect(unknown).toMatchObject({ status: 404, headers: { "x-error-code": "RevisionNotFound" } })
      }
      expect((await get("/default/set/resolve/refs%2Fpr%2F1/a.txt")).headers["x-error-code"]).toBe("RevisionNotFound")
      const missing = await get("/default/set/resolve/main/%C3%BCnknown")
      expect(missing.json).toEqual({ error: expect.stringContaining("'ünknown' not found"), code: "not_found" })
      expect(missing.headers).toMatchObject({
        "x-error-code": "EntryNotFound",
        "x-error-message": expect.stringContaining("'%C3%BCnknown' not found"),
        "x-repo-commit": current,
        "x-request-id": expect.stringMatching(/./),
      })
      for (const path of ["/default/none/resolve/main/a", "/nowhere/set/resolve/main/a", "/api/models/default/none"]) {
        expect(await get(path)).toMatchObject({ status: 404, headers: { "x-error-code": "RepoNotFound" } })
      }
      expect((await get("/default/set/resolve/main/a//b")).json.code).toBe("bad_path")
      expect((await get("/api/nothing")).headers["x-error-code"]).toBeUndefined()
    },
  )

  it("never returns another commit than the one that contains the file", async () => {
    await put("shared", "one")
    const before = await head()
    await appendFile(join(server.folder, "data/storage/filesets/default/set/shared"), " and more")
    const { headers, text } = await get("/default/set/resolve/main/shared")
    expect(text).toBe("one and more")
    expect(headers["x-repo-commit"]).not.toBe(before)
    expect(headers.etag).toBe(`"${sha256("one and more")}"`)
  })
})

describe("a repository", () => {
  it("is described as it is now and at a commit", verifies("hub.repository", "hub.repository-id"), async () => {
    const sha = await head()
    for (const path of [
      "/api/models/default/set",
      "/api/datasets/default/set/revision/main",
      `/api/spaces/default/set/revision/${sha}`,
    ]) {
      const { json } = await get(path)
      expect(json).toMatchObject({
        id: "default/set",
        author: "default",
        sha,
        private: false,
        gated: false,
        tags: [],
        description: "A set",
        lastModified: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
      })
      expect(json.siblings).toContainEqual({ rfilename: "data/b c.txt" })
    }
    const { json } = await get("/api/models/default/set?blobs=True")
    expect(json.siblings[0]).toMatchObject({ rfilename: "a.txt", size: 3, lfs: { sha256: sha256("one"), size: 3 } })
    expect((await get("/api/models/default/set?expand=sha&expand=likes")).json.siblings).toBeUndefined()
    expect((await get("/api/models/default/set?expand[]=siblings&expand=siblings")).json.siblings).toBeDefined()
    expect((await get("/api/models/default/set/revision/refs%2Fpr%2F1")).headers["x-error-code"]).toBe(
      "RevisionNotFound",
    )
    expect((await get("/api/things/default/set")).status).toBe(422)
  })

  it("has one branch, and the recorded commits", async () => {
    const sha = await head()
    const refs = (await get("/api/models/default/set/refs?include_prs=1")).json
    expect(refs).toEqual({
      branches: [{ name: "main", ref: "refs/heads/main", targetCommit: sha }],
      tags: [],
      converts: [],
      pullRequests: [],
    })
    const all = await get("/api/models/default/set/commits/main")
    expect(all.json[0]).toMatchObject({ id: sha, title: "Files changed", authors: [], date: expect.any(String) })
    expect(all.headers["x-total-count"]).toBe(String(all.json.length))
    const first = await get("/api/models/default/set/commits/main?limit=1")
    expect(first.json).toEqual(all.json.slice(0, 1))
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ""
    expect((await server.call("GET", next.slice(server.url.length))).json).toEqual(all.json.slice(1, 2))
    const older = await get(`/api/models/default/set/commits/${all.json[1].id}`)
    expect(older.json).toEqual(all.json.slice(1))
  })
})

describe("a tree", () => {
  beforeAll(() => fill("tree"))

  const paths = (answer: { json: { type: string; path: string }[] }) =>
    answer.json.map(({ type, path }) => (type === "directory" ? `${path}/` : path))

  it(
    "lists a folder, or everything below it, for both spellings of its path",
    verifies("hub.tree", "hub.lfs-entries"),
    async () => {
      const root = await get("/api/models/default/tree/tree/main?recursive=False&expand=False")
      expect(paths(root)).toEqual(["a.txt", "data-2.txt", "data/", "empty"])
      expect(root.json[0]).toEqual({
        type: "file",
        path: "a.txt",
        size: 3,
        oid: createHash("sha1")
          .update(`blob 126\0${pointer("one")}`)
          .digest("hex"),
        lfs: { oid: sha256("one"), size: 3, pointerSize: 126 },
      })
      for (const path of ["data", "data/", "data%2F"]) {
        const answer = await get(`/api/datasets/default/tree/tree/${await head("tree")}/${path}?recursive=True`)
        expect(paths(answer)).toEqual(["data/b c.txt", "data/deep/", "data/deep/d.txt"])
      }
      expect(paths(await get("/api/models/default/tree/tree/main/data%2Fdeep"))).toEqual(["data/deep/d.txt"])
      const expanded = await get("/api/models/default/tree/tree/main/data?expand=true")
      expect(expanded.json[0].lastCommit).toEqual({
        id: await head("tree"),
        title: "Files changed",
        date: expect.any(String),
      })
      for (const path of ["none", "a.txt", "dat"]) {
        const missing = await get(`/api/models/default/tree/tree/main/${path}`)
        expect(missing.headers).toMatchObject({ "x-error-code": "EntryNotFound", "x-repo-commit": await head("tree") })
      }
    },
  )

  it("is paginated over one commit, even if files change meanwhile", async () => {
    const all = paths(await get("/api/models/default/tree/tree/main?recursive=true"))
    let answer = await get("/api/models/default/tree/tree/main?recursive=true&limit=3")
    await put("added%20meanwhile", "x", "tree")
    const found = paths(answer)
    for (;;) {
      const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
      if (next === undefined) break
      answer = await server.call("GET", next.slice(server.url.length))
      expect(answer.json.length).toBeLessThanOrEqual(3)
      found.push(...paths(answer))
    }
    expect(found).toEqual(all)
    expect((await get("/api/models/default/tree/tree/main?cursor=nonsense")).json.code).toBe("bad_page_token")
  })

  it("describes the named paths, for a JSON body and for a form", verifies("hub.paths-info"), async () => {
    const url = "/api/models/default/tree/paths-info/main"
    const asJson = await call("POST", url, { json: { paths: ["data", "none", "a.txt", "data/deep/"], more: 1 } })
    expect(paths(asJson)).toEqual(["data/", "a.txt", "data/deep/"])
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const body = "paths=a.txt&paths=data%2Fb+c.txt&expand=True"
    const asForm = await call("POST", url, { headers, body })
    expect(paths(asForm)).toEqual(["a.txt", "data/b c.txt"])
    expect(asForm.json[0]).toMatchObject({ lfs: { oid: sha256("one") }, lastCommit: { id: await head("tree") } })
    expect(paths(await call("POST", url, { headers, body: "paths=a.txt&expand=False" }))).toEqual(["a.txt"])
    expect((await call("POST", url, { headers, body: "expand=False" })).json).toEqual([])
  })
})

const pointer = (text: string) =>
  `version ${["https:/", "git-lfs.github.com/spec/v1"].join("/")}\noid sha256:${sha256(text)}\nsize ${text.length}\n`
