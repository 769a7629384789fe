import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import {
  commit,
  countCommits,
  createRepo,
  datasetInfo,
  deleteRepo,
  downloadFile,
  fileDownloadInfo,
  fileExists,
  type HubApiError,
  listCommits,
  listFiles,
  modelInfo,
  pathsInfo,
  repoExists,
  snapshotDownload,
  uploadFiles,
  whoAmI,
} from "@huggingface/hub"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startHub, type TestHub } from "../testing/start-hub.ts"

/** Larger than one part of an LFS upload. */
const LARGE = randomBytes(35_000_000)
const BINARY = Buffer.concat([Buffer.from([0, 1, 2]), randomBytes(1000)])

let hub: TestHub
let folder: string
beforeAll(async () => {
  hub = await startHub()
  folder = await mkdtemp(join(tmpdir(), "hub-client-"))
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const bytesOf = async (blob: Blob | null) => Buffer.from(await (blob ?? new Blob([])).arrayBuffer())
const message = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as HubApiError

describe("the JavaScript client of the hub, with a server that requires tokens", () => {
  const dataset = { type: "dataset", name: "default/reviews" } as const
  // The client requires a token in the hub's form. `fetch` replaces it.
  const params = () => ({ repo: dataset, hubUrl: hub.url, fetch: hub.fetchAs("editor"), accessToken: "hf_unused" })

  it(
    "gets its account, and creates a repository",
    verifies("hub.whoami", "hub.create-repo", "hub.repository-id"),
    async () => {
      const me = await whoAmI({ hubUrl: hub.url, fetch: hub.fetchAs("editor"), accessToken: "hf_" })
      expect(me).toMatchObject({ type: "user", name: hub.tokenId("editor"), orgs: [{ name: "default" }] })
      expect(await repoExists(params())).toBe(false)
      const made = await createRepo({ ...params(), files: [{ path: "first.txt", content: new Blob(["one"]) }] })
      expect(made).toEqual({ id: "default/reviews", repoUrl: `${hub.url}/datasets/default/reviews` })
      expect(await repoExists(params())).toBe(true)
      expect(await (await downloadFile({ ...params(), path: "first.txt" }))?.text()).toBe("one")
      expect(await message(createRepo(params()))).toMatchObject({ statusCode: 409 })
      expect(await hub.get("editor", "/default/filesets/reviews")).toMatchObject({ purpose: "dataset" })
    },
  )

  it(
    "uploads text within the commit, other files through LFS, and large files in parts",
    verifies("hub.preupload", "hub.lfs-batch", "hub.commit"),
    async () => {
      const uploaded = await uploadFiles({
        ...params(),
        commitTitle: "Add files",
        useXet: false,
        files: [
          { path: "README.md", content: new Blob(["# Reviews"]) },
          { path: "data/train.bin", content: new Blob([BINARY]) },
          { path: "data/copy of train.bin", content: new Blob([BINARY]) },
          { path: "data/large.bin", content: new Blob([LARGE]) },
          { path: "data/empty", content: new Blob([]) },
        ],
      })
      expect(uploaded?.commit.url).toBe(`${hub.url}/datasets/default/reviews/commit/${uploaded?.commit.oid}`)
      const sent = hub.sent.filter(({ url }) => url.includes("/hf/lfs/")).map(({ method }) => method)
      // One object is sent once in one piece, although it is committed twice. The other is sent in three parts, which are then joined.
      expect(sent.toSorted()).toEqual(["POST", "PUT", "PUT", "PUT", "PUT"])
      expect(hub.sent.every(({ url, authorized }) => authorized !== url.includes("/hf/lfs/"))).toBe(true)
      expect(sha256(await bytesOf(await downloadFile({ ...params(), path: "data/large.bin" })))).toBe(sha256(LARGE))
    },
  )

  it(
    "lists, describes and reads files, whole and in parts",
    verifies("hub.tree", "hub.paths-info", "hub.repository", "hub.resolve-get", "hub.lfs-entries"),
    async () => {
      const files = await Array.fromAsync(listFiles({ ...params(), recursive: true, expand: true }))
      expect(files.map(({ path, type }) => `${type} ${path}`)).toEqual([
        "file README.md",
        "directory data",
        "file data/copy of train.bin",
        "file data/empty",
        "file data/large.bin",
        "file data/train.bin",
        "file first.txt",
      ])
      const info = await datasetInfo({
        hubUrl: hub.url,
        fetch: hub.fetchAs("viewer"),
        name: dataset.name,
        additionalFields: ["sha"],
      })
      expect(files.at(-1)?.lastCommit?.id).toBe(info.sha)
      expect(info).toMatchObject({ name: "default/reviews", private: true, gated: false, updatedAt: expect.any(Date) })
      const model = await modelInfo({
        hubUrl: hub.url,
        fetch: hub.fetchAs("viewer"),
        name: dataset.name,
        revision: info.sha,
      })
      expect(model.name).toBe("default/reviews")
      const [large, folderInfo] = await pathsInfo({ ...params(), paths: ["data/large.bin", "data", "none"] })
      expect(large).toMatchObject({ size: LARGE.length, lfs: { oid: sha256(LARGE), size: LARGE.length } })
      expect(folderInfo).toMatchObject({ type: "directory", path: "data" })

      const found = await fileDownloadInfo({ ...params(), path: "data/large.bin" })
      expect(found).toMatchObject({ size: LARGE.length, etag: `"${sha256(LARGE)}"` })
      const blob = await downloadFile({ ...params(), path: "data/large.bin" })
      expect(await bytesOf(blob?.slice(1_000_000, 1_000_100) ?? null)).toEqual(LARGE.subarray(1_000_000, 1_000_100))
      expect(await fileDownloadInfo({ ...params(), path: "none" })).toBeNull()
      expect(await fileExists({ ...params(), path: "README.md" })).toBe(true)
      expect(await fileExists({ ...params(), path: "none" })).toBe(false)
    },
  )

  it("downloads a snapshot with all files, including the empty one", async () => {
    const snapshot = await snapshotDownload({ ...params(), cacheDir: folder })
    expect(sha256(await readFile(join(snapshot, "data/large.bin")))).toBe(sha256(LARGE))
    expect(await readFile(join(snapshot, "data/empty"), "utf8")).toBe("")
    expect(await readFile(join(snapshot, "README.md"), "utf8")).toBe("# Reviews")
  })

  it("commits deletions and copies, and lists the commits", async () => {
    const sentBefore = hub.sent.filter(({ method }) => method === "PUT").length
    const done = await commit({
      ...params(),
      title: "Move a file",
      operations: [
        { operation: "addOrUpdate", path: "moved.bin", content: new Blob([BINARY]) },
        { operation: "delete", path: "data/train.bin" },
        { operation: "delete", path: "data/copy of train.bin" },
      ],
    })
    expect(hub.sent.filter(({ method }) => method === "PUT").length).toBe(sentBefore)
    expect(await bytesOf(await downloadFile({ ...params(), path: "moved.bin" }))).toEqual(BINARY)
    expect(await downloadFile({ ...params(), path: "data/train.bin" })).toBeNull()
    const commits = await Array.fromAsync(listCommits({ ...params(), batchSize: 2 }))
    expect(commits[0]).toMatchObject({ oid: done?.commit.oid, title: "Move a file" })
    expect(commits.map(({ title }) => title)).toContain("Add files")
    expect(await countCommits(params())).toBe(commits.length)
    const stale = { ...params(), title: "Too late", parentCommit: commits[1]?.oid ?? "" }
    const operations = [{ operation: "delete" as const, path: "moved.bin" }]
    expect(await message(commit({ ...stale, operations }))).toMatchObject({ statusCode: 412 })
  })

  it("gets an error for operations that its token does not allow", async () => {
    const as = (who: "viewer" | "nobody") => ({ ...params(), fetch: hub.fetchAs(who) })
    expect(
      await message(uploadFiles({ ...as("viewer"), files: [{ path: "a", content: new Blob(["a"]) }] })),
    ).toMatchObject({
      statusCode: 403,
    })
    expect(await message(deleteRepo({ ...as("viewer") }))).toMatchObject({ statusCode: 403 })
    expect(await message(fileDownloadInfo({ ...as("nobody"), path: "README.md" }))).toMatchObject({ statusCode: 401 })
    expect(await repoExists({ ...as("nobody") })).toBe(false)
  })

  it("deletes a repository", async () => {
    await deleteRepo(params())
    expect(await repoExists(params())).toBe(false)
    expect(await message(deleteRepo(params()))).toMatchObject({ statusCode: 404 })
  })
})
