import {
  commit,
  createRepo,
  deleteFile,
  downloadFile,
  listCommits,
  listFiles,
  type HubApiError,
} from "@huggingface/hub"
import type { FilesetHistory } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type Sender, type TestHub } from "../testing/start-hub.ts"

let hub: TestHub
beforeAll(async () => {
  hub = await startHub({ ASSAY_HISTORY_MAX_BYTES: "100000" })
})
afterAll(() => hub[Symbol.asyncDispose]())

const repo = { type: "dataset", name: "default/reviews" } as const
const params = () => ({ repo, hubUrl: hub.url, fetch: hub.fetchAs("editor"), accessToken: "hf_unused" })
const api = (path: string, init: RequestInit = {}, sender: Sender = "editor") =>
  hub.fetchAs(sender)(`${hub.url}/api/datasets/default/reviews/${path}`, {
    ...init,
    headers: { "content-type": "application/json" },
  })
const post = (path: string, body: object, sender?: Sender) =>
  api(path, { method: "POST", body: JSON.stringify(body) }, sender)
const history = (path: string, init: RequestInit = {}, sender: Sender = "editor") =>
  hub.fetchAs(sender)(`${hub.server.url}/apis/files/v2/workspaces/default/filesets/reviews/${path}`, init)

async function commitFiles(title: string, files: Readonly<Record<string, string>>): Promise<string> {
  const operations = Object.entries(files).map(
    ([path, text]) => ({ operation: "addOrUpdate", path, content: new Blob([text]) }) as const,
  )
  const done = await commit({ ...params(), title, operations, useXet: false })
  return done?.commit.oid ?? ""
}
const textAt = async (path: string, revision?: string) =>
  (await downloadFile({ ...params(), path, ...(revision === undefined ? {} : { revision }) }))?.text()

describe("the history of a repository", () => {
  let first: string
  let second: string
  beforeAll(async () => {
    await createRepo(params())
    first = await commitFiles("First", { "a.txt": "one", "b.bin": "\0binary", "c/d.txt": "deep" })
    second = await commitFiles("Second", { "a.txt": "two", "b.bin": "\0other" })
    await deleteFile({ ...params(), path: "c/d.txt", commitTitle: "Third" })
  })

  it(
    "lists commits with their authors, and reads every file at each of them",
    verifies("hub.former-files"),
    async () => {
      const commits = await Array.fromAsync(listCommits({ ...params(), batchSize: 2 }))
      expect(commits.map(({ title, authors }) => [title, authors[0]?.username])).toEqual([
        ["Third", "editor"],
        ["Second", "editor"],
        ["First", "editor"],
        expect.anything(),
      ])
      expect([commits[2]?.oid, commits[1]?.oid]).toEqual([first, second])
      expect([await textAt("a.txt", first), await textAt("a.txt", second), await textAt("a.txt")]).toEqual([
        "one",
        "two",
        "two",
      ])
      expect([await textAt("b.bin", first), await textAt("c/d.txt", second)]).toEqual(["\0binary", "deep"])
      const paths = await Array.fromAsync(listFiles({ ...params(), revision: first, recursive: true }))
      expect(paths.filter(({ type }) => type === "file").map(({ path }) => path)).toEqual(["a.txt", "b.bin", "c/d.txt"])
      const part = await hub.fetchAs("viewer")(`${hub.url}/datasets/default/reviews/resolve/${first}/c/d.txt`, {
        headers: { range: "bytes=1-2" },
      })
      expect([part.status, part.headers.get("x-repo-commit"), await part.text()]).toEqual([206, first, "ee"])
      // Past the end of the present file, and within the former one.
      const past = await hub.fetchAs("viewer")(`${hub.url}/datasets/default/reviews/resolve/${first}/b.bin`, {
        headers: { range: "bytes=6-" },
      })
      expect([past.status, await past.text()]).toEqual([206, "y"])
    },
  )

  it("names commits with tags, which editors create and delete", verifies("hub.tags"), async () => {
    expect((await post(`tag/${first}`, { tag: "v1", message: "The first one" })).status).toBe(200)
    expect((await post("tag/main", { tag: "v1" })).status).toBe(409)
    expect((await post("tag/v0", { tag: "v2" })).headers.get("x-error-code")).toBe("RevisionNotFound")
    expect((await post(`tag/${first}`, { tag: "v3" }, "viewer")).status).toBe(403)
    for (const tag of ["main", "..", "a b", first, "x".repeat(101)]) {
      expect([tag, (await post(`tag/${first}`, { tag })).status]).toEqual([tag, 400])
    }
    const refs = await (await api("refs", {}, "viewer")).json()
    expect(refs).toMatchObject({ tags: [{ name: "v1", ref: "refs/tags/v1", targetCommit: first }] })
    expect([await textAt("a.txt", "v1"), await textAt("a.txt", "refs/tags/v1")]).toEqual(["one", "one"])
    expect((await api("tag/v1", { method: "DELETE" })).status).toBe(200)
    expect((await api("tag/v1", { method: "DELETE" })).headers.get("x-error-code")).toBe("RevisionNotFound")
  })

  it("shows commits as changes, and restores one by the plain API", verifies("files.history"), async () => {
    const found = await history("history", {}, "viewer")
    const { data, kept } = (await found.json()) as FilesetHistory
    expect(data.map(({ title, is_commit }) => [title, is_commit])).toEqual([
      ["Third", true],
      ["Second", true],
      ["First", true],
    ])
    expect(data[2]).toMatchObject({ revision: first, author: "editor", added: 3, replaced: 0, deleted: 0 })
    expect(kept.files).toBe(3)
    const diff = await (await history(`diff?from=${first.slice(0, 7)}&to=${second}`, {}, "viewer")).json()
    expect(diff).toMatchObject({ from: first, to: second, added: 0, removed: 0, changed: 2 })
    const restore = (body: object, sender?: Sender) =>
      history(
        "restore",
        { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
        sender,
      )
    expect((await restore({ revision: first }, "viewer")).status).toBe(403)
    expect((await restore({ revision: first, path: "../x" })).status).toBe(400)
    expect((await restore({ revision: "0".repeat(40) })).status).toBe(404)
    expect(await (await restore({ revision: first, path: "c" })).json()).toMatchObject({
      revision: first,
      written: [{ path: "c/d.txt", size: 4 }],
      deleted_count: 0,
    })
    expect([await textAt("c/d.txt"), await textAt("a.txt")]).toEqual(["deep", "two"])
  })

  it("reads the files after a change that is no commit", verifies("hub.change-revisions"), async () => {
    const put = (text: string) =>
      history("-/plain.txt", { method: "PUT", body: text, headers: { "content-type": "text/plain" } })
    expect((await put("before")).status).toBeLessThan(300)
    const change = ((await (await history("history?limit=1", {}, "viewer")).json()) as FilesetHistory).data[0]
    expect(change?.is_commit).toBe(false)
    const revision = change?.revision ?? ""
    await commitFiles("After", { "plain.txt": "after", "new.txt": "new" })
    expect([await textAt("plain.txt", revision), await textAt("a.txt", revision)]).toEqual(["before", "two"])
    const paths = await Array.fromAsync(listFiles({ ...params(), revision }))
    expect(paths.map(({ path }) => path)).not.toContain("new.txt")
    expect(await (await api(`revision/${revision}`, {}, "viewer")).json()).toMatchObject({ sha: revision })
    expect((await api(`revision/${"0".repeat(40)}`, {}, "viewer")).status).toBe(404)
  })

  it("squashes its commits, and says then why bytes are gone", verifies("hub.squash", "hub.gone"), async () => {
    await post(`tag/${second}`, { tag: "kept" })
    expect((await post("super-squash/main", { message: "All in one" }, "viewer")).status).toBe(403)
    expect((await post("super-squash/other", {})).status).toBe(404)
    expect((await post("super-squash/main", { message: "All in one" })).status).toBe(200)
    const commits = await Array.fromAsync(listCommits(params()))
    expect(commits.map(({ title }) => title)).toEqual(["All in one", "Second"])
    const error = (await textAt("a.txt", first).catch((reason: unknown) => reason)) as HubApiError
    expect(error.statusCode).toBe(404)
    const gone = await hub.fetchAs("viewer")(`${hub.url}/datasets/default/reviews/resolve/kept/b.bin`)
    expect([gone.status, gone.headers.get("x-error-message")]).toEqual([200, null])
    await commitFiles("Again", { "b.bin": "\0third" })
    await history("history", { method: "DELETE" })
    const late = await hub.fetchAs("viewer")(`${hub.url}/datasets/default/reviews/resolve/kept/b.bin`)
    expect([late.status, ((await late.json()) as { error: string }).error]).toEqual([
      410,
      expect.stringMatching(/'b\.bin'.*went on .*purged/),
    ])
  })
})
