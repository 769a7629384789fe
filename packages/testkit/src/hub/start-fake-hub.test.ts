import { createHash } from "node:crypto"
import { describe, expect, it, onTestFinished } from "vitest"
import type { FakeHubOptions } from "./fake-hub-options.ts"
import { startFakeHub } from "./start-fake-hub.ts"

const TEXT = Buffer.from("hello\n")
const LARGE = Buffer.alloc(1000, "x")
const LARGE_SHA256 = createHash("sha256").update(LARGE).digest("hex")
const FILES = { "a b.txt": TEXT, "data/ä#1.bin": { bytes: LARGE, lfs: true }, "data-2": TEXT }

async function start(options: FakeHubOptions = {}) {
  const hub = await startFakeHub({ repositories: [{ id: "org/model", files: FILES }], ...options })
  onTestFinished(() => hub.close())
  const ask = (path: string, init: RequestInit = {}) => fetch(hub.url + path, { redirect: "manual", ...init })
  return { hub, ask }
}

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe("startFakeHub", () => {
  it("returns the commit of a branch, a tag and a commit id, and 404 for other revisions", async () => {
    const { hub, ask } = await start()
    const repository = hub.repository("org/model")
    const first = repository.find("main")?.sha ?? ""
    repository.tag("v/1", first)
    const second = repository.commit({ "data-2": null })
    expect(await (await ask("/api/models/org/model")).json()).toMatchObject({ id: "org/model", sha: second })
    for (const revision of ["v%2F1", first]) {
      const answer = await ask(`/api/models/org/model/revision/${revision}?expand=sha`)
      expect(await answer.json()).toEqual({ _id: expect.any(String), id: "org/model", sha: first })
    }
    const missing = await ask("/api/models/org/model/revision/v/1")
    expect([missing.status, missing.headers.get("x-error-code")]).toEqual([404, "RevisionNotFound"])
  })

  it("lists folders before files, page by page", async () => {
    const { hub, ask } = await start({ pageSize: 2 })
    const first = await ask("/api/models/org/model/tree/main?recursive=True")
    expect(await first.json()).toMatchObject([
      { type: "directory", path: "data" },
      { type: "file", path: "data/ä#1.bin", size: 1000, lfs: { oid: LARGE_SHA256, size: 1000, pointerSize: 129 } },
    ])
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    expect(next.startsWith(hub.url)).toBe(true)
    const second = await fetch(next)
    // `git hash-object` of a file that contains "hello" and a line end.
    const oid = "ce013625030ba8dba906f756967f9e9ca394464a"
    expect(await second.json()).toEqual([
      { type: "file", oid, size: 6, path: "a b.txt" },
      { type: "file", oid, size: 6, path: "data-2" },
    ])
    expect(second.headers.get("link")).toBeNull()
    expect((await ask("/api/models/org/model/tree/main/data-2")).headers.get("x-error-code")).toBe("EntryNotFound")
  })

  it("describes paths that are listed in JSON or as a form", async () => {
    const { ask } = await start()
    const bodies = [JSON.stringify({ paths: ["data", "nothing"] }), new URLSearchParams({ paths: "data" })]
    for (const body of bodies) {
      const headers: Record<string, string> = typeof body === "string" ? { "content-type": "application/json" } : {}
      const answer = await ask("/api/models/org/model/paths-info/main", { method: "POST", body, headers })
      expect(await answer.json()).toMatchObject([{ type: "directory", path: "data" }])
    }
    expect((await ask("/api/models/org/model/paths-info/main", { method: "POST", body: "{" })).status).toBe(400)
  })

  it("returns files of git and ranges of them if the path is encoded", async () => {
    const { hub, ask } = await start()
    const answer = await ask("/org/model/resolve/main/a%20b.txt", { headers: { range: "bytes=1-2" } })
    expect(answer.status).toBe(206)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-range": "bytes 1-2/6",
      etag: '"ce013625030ba8dba906f756967f9e9ca394464a"',
      "x-repo-commit": hub.repository("org/model").find("main")?.sha,
    })
    expect(await answer.text()).toBe("el")
    const beyond = await ask("/org/model/resolve/main/a%20b.txt", { headers: { range: "bytes=6-" } })
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */6"])
    expect((await ask("/org/model/resolve/main/data/ä#1.bin")).headers.get("x-error-code")).toBe("EntryNotFound")
  })

  it("redirects to another host, which needs no token, for large files", async () => {
    const { hub, ask } = await start()
    const answer = await ask("/org/model/resolve/main/data/%C3%A4%231.bin")
    const location = answer.headers.get("location") ?? ""
    expect(answer.status).toBe(302)
    expect(answer.headers.get("x-linked-etag")).toBe(`"${LARGE_SHA256}"`)
    expect(answer.headers.get("x-linked-size")).toBe("1000")
    expect(location.startsWith(`${hub.objectUrl}/`)).toBe(true)
    expect(await (await fetch(location)).text()).toBe(LARGE.toString())
    expect((await fetch(location, as("token"))).status).toBe(400)
    expect((await fetch(location.replace(/.$/, "-"))).status).toBe(403)
    hub.expireAddresses()
    expect((await fetch(location)).status).toBe(403)
    expect(hub.requests.map(({ host }) => host)).toEqual(["hub", "cdn", "cdn", "cdn", "cdn"])
  })

  it("hides private repositories, and says why it refuses gated and disabled ones", async () => {
    const { ask } = await start({
      repositories: [
        { id: "org/private", private: true, files: FILES },
        { id: "org/gated", type: "dataset", gated: "manual", files: FILES },
        { id: "org/closed", disabled: true, files: FILES },
      ],
      tokens: { reader: ["org/private", "org/gated"], stranger: [] },
    })
    const outcomes: (readonly [string, string | undefined, number, string | null])[] = [
      ["/api/models/org/private", undefined, 401, "RepoNotFound"],
      ["/api/models/org/private", "stranger", 404, "RepoNotFound"],
      ["/api/models/org/private", "reader", 200, null],
      ["/api/models/org/missing", undefined, 401, "RepoNotFound"],
      ["/api/models/org/private", "wrong", 401, null],
      ["/api/datasets/org/gated/tree/main", undefined, 200, null],
      ["/datasets/org/gated/resolve/main/data-2", undefined, 401, "GatedRepo"],
      ["/datasets/org/gated/resolve/main/data-2", "stranger", 403, "GatedRepo"],
      ["/datasets/org/gated/resolve/main/data-2", "reader", 200, null],
      ["/api/models/org/closed", undefined, 403, null],
    ]
    for (const [path, token, status, code] of outcomes) {
      const answer = await ask(path, token === undefined ? {} : as(token))
      expect([path, token, answer.status, answer.headers.get("x-error-code")]).toEqual([path, token, status, code])
      if (status >= 400) expect(answer.headers.get("x-error-message")).toBeTruthy()
    }
  })

  it("redirects from a former name, and can be served below a path", async () => {
    const { ask } = await start({
      repositories: [{ id: "org/new", formerIds: ["org/old"], files: FILES }],
      pathPrefix: "/hf",
      resolveCache: true,
    })
    const moved = await ask("/org/old/resolve/main/data-2")
    expect([moved.status, moved.headers.get("location")]).toEqual([307, "/hf/org/new/resolve/main/data-2"])
    const cached = await ask("/org/new/resolve/main/a%20b.txt")
    expect(cached.headers.get("location")).toMatch(
      /^\/hf\/api\/resolve-cache\/models\/org\/new\/[0-9a-f]{40}\/a%20b.txt$/,
    )
  })

  it("has each planned fault as often as planned", async () => {
    const { hub, ask } = await start()
    const path = "/org/model/resolve/main/data-2"
    hub.faults.add({
      when: ({ operation }) => operation === "resolve",
      skip: 1,
      times: 1,
      fault: { kind: "refuse", status: 503 },
    })
    expect((await ask(path)).status).toBe(200)
    expect((await ask(path)).status).toBe(503)
    expect((await ask(path)).status).toBe(200)
    hub.faults.add({ fault: { kind: "cut", after: 3 } })
    await expect((await ask(path)).text()).rejects.toThrow("terminated")
    hub.faults.clear()
    hub.faults.add({ fault: { kind: "wrong-byte", at: 0 } })
    expect(await (await ask(path)).text()).not.toBe("hello\n")
    expect(hub.countOpenAnswers()).toBe(0)
  })
})
