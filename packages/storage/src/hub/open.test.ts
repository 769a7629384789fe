import type { HubStorageConfiguration } from "@assay/schemas"
import { type FakeHubOptions, startFakeHub, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import type { StorageContract } from "../testing/contract-subject.ts"
import { createTestRemote } from "../testing/create-test-remote.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { openHubStorage } from "./open.ts"

const READ_CHUNK_SIZE = 4000

function contract(lfs: boolean, options: FakeHubOptions = {}, repo_id = "acme/net"): StorageContract {
  return {
    capabilities: STORAGE_CAPABILITIES.hub,
    async open(files) {
      const hub = await startFakeHub(options)
      const stored = Object.entries(files).map(([path, bytes]) => [path, { bytes, lfs }] as const)
      hub.add({ id: "acme/net", formerIds: ["acme/old"], files: Object.fromEntries(stored) })
      const config = { repo_id, read_chunk_size: READ_CHUNK_SIZE }
      const { storage } = await openTestHub({ endpoint: hub.url, config })
      return {
        storage,
        readChunkSize: READ_CHUNK_SIZE,
        countOpenReads: async () => hub.countOpenAnswers(),
        close: () => hub.close(),
      }
    },
  }
}

describeStorageContract("hub storage with files in git", contract(false))
describeStorageContract("hub storage with files beside git", contract(true, { pageSize: 7 }))
describeStorageContract(
  "hub storage of a renamed repository, below a path",
  contract(false, { pathPrefix: "/apis/hf", resolveCache: true, relativeLinks: true, pageSize: 100 }, "acme/old"),
)

const FILES = { file: Buffer.from("first") }

async function start(options: FakeHubOptions = { repositories: [{ id: "acme/net", files: FILES }] }) {
  const hub = await startFakeHub(options)
  onTestFinished(() => hub.close())
  return hub
}

describe("openHubStorage", () => {
  it.each([
    ["nothing", undefined, "main"],
    ["a branch", "main", "main"],
    ["a branch with a slash", "dev/next", "dev/next"],
    ["a tag", "v1.0", "v1.0"],
  ])(
    "pins %s to its commit and keeps the requested revision in the configuration",
    verifies("brief.storage.hub.revision-resolved", "brief.storage.hub.original-revision"),
    async (_title, revision, original) => {
      const hub = await start()
      const repository = hub.repository("acme/net")
      const first = repository.find("main")?.sha ?? ""
      repository.tag("v1.0", first)
      repository.tag("dev/next", first)
      const config = revision === undefined ? {} : { revision }
      const { storage, configuration } = await openTestHub({ endpoint: hub.url, config })
      expect(configuration).toMatchObject({ revision: first, original_revision: original })
      expect(hub.requests).toHaveLength(1)
      repository.commit({ file: Buffer.from("second"), other: Buffer.from("x") })
      repository.commit({ file: Buffer.from("third") }, "dev/next")
      expect(Buffer.from(await readAll(storage, "file")).toString()).toBe("first")
      expect(await storage.stat(parseFilePath("file"))).toMatchObject({ size: 5 })
      expect(await listPaths(storage)).toEqual(["file"])
    },
  )

  it("opens a commit without a request and keeps its original revision", async () => {
    const remote = createTestRemote({})
    const revision = "0123456789abcdef0123456789abcdef01234567"
    const pinned: HubStorageConfiguration = { type: "hub", repo_id: "acme/net", revision }
    const endpoint = "http://127.0.0.1:9"
    const { configuration } = await openHubStorage({ ...pinned, endpoint, original_revision: "main" }, remote)
    expect(configuration).toMatchObject({ revision, original_revision: "main", endpoint })
    expect((await openHubStorage(pinned, remote)).configuration).toEqual({
      ...pinned,
      original_revision: revision,
      repo_type: "model",
      endpoint: "https://huggingface.co",
      read_chunk_size: 1_048_576,
    })
  })

  it.each(["model", "dataset", "space"] as const)("reads a %s, also without an owner in its id", async (type) => {
    const hub = await start({ repositories: [{ id: "net", type, files: FILES }] })
    const { storage } = await openTestHub({ endpoint: `${hub.url}/`, config: { repo_id: "net", repo_type: type } })
    expect(await listPaths(storage)).toEqual(["file"])
    expect(await storage.stat(parseFilePath("file"))).toMatchObject({ size: 5 })
    expect(await readAll(storage, "file")).toHaveLength(5)
  })

  it(
    "sends the token of its secret only to the hub, for every prefix",
    verifies("brief.storage.hub.token"),
    async () => {
      const bytes = Buffer.alloc(100)
      const hub = await start({
        repositories: [{ id: "acme/net", private: true, files: { file: { bytes, lfs: true } } }],
        tokens: { assay_0123456789: ["acme/net"] },
      })
      const { storage } = await openTestHub({ endpoint: hub.url, token: "assay_0123456789" })
      await listPaths(storage)
      await readAll(storage, "file")
      const shown = hub.requests.map(({ host, headers }) => [host, headers["authorization"]])
      expect(new Set(shown.map(String))).toEqual(new Set(["hub,Bearer assay_0123456789", "cdn,"]))
      expect(await codeOf(openTestHub({ endpoint: hub.url }))).toBe("upstream_missing")
    },
  )

  it("resolves a secret of another workspace, and refuses an invalid token without showing it", async () => {
    const remote = createTestRemote({ "shared/hub-token": "two words\n" })
    const config = { type: "hub", repo_id: "acme/net", token_secret: "shared/hub-token" } as const
    const error = await openHubStorage(config, remote).catch((caught: unknown) => caught)
    expect(error).toHaveProperty("code", "upstream_refused")
    expect(String(error)).toContain("'shared/hub-token'")
    expect(String(error)).not.toContain("two words")
    expect(await codeOf(openHubStorage({ ...config, token_secret: "hub-token" }, remote))).toBe("secret_not_readable")
  })

  it.each([
    ["datasets/acme/net", undefined, "repo_id 'datasets/acme/net'"],
    ["https://huggingface.co/acme/net", undefined, "repo_id 'https://huggingface.co/acme/net'"],
    ["acme/..", undefined, "repo_id 'acme/..'"],
    ["acme/", undefined, "repo_id 'acme/'"],
    ["acme/net", "hub.example", "endpoint 'hub.example'"],
    ["acme/net", "https://user:word@hub.example", "endpoint 'https://***@hub.example'"],
  ])("refuses repository '%s' at '%s'", async (repo_id, endpoint, says) => {
    const config = { type: "hub", repo_id, ...(endpoint === undefined ? {} : { endpoint }) } as const
    const error = await openHubStorage(config, createTestRemote({})).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: "upstream_misconfigured", message: expect.stringContaining(says) })
  })
})
