import { AssayError } from "@assay/schemas"
import { openStorage } from "@assay/storage"
import { type FakeHub, startFakeHub, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFolderDatastore, type FolderDatastore } from "../testing/folder-datastore.ts"
import { testRemote } from "../testing/test-remote.ts"
import { datasetFailure } from "./dataset-errors.ts"
import { firstRows } from "./first-rows.ts"
import { openFilesetDataset, type FilesetSource } from "./open-fileset-dataset.ts"
import { parseFilesUrl } from "./files-url.ts"

let datastore: FolderDatastore
beforeAll(async () => {
  datastore = await openFolderDatastore()
  const files = ["b.jsonl", "a/x.csv", "a/deep/y.parquet", "Z.jsonl", "notes.txt", "part-1.jsonl"]
  await datastore.add("questions", Object.fromEntries(files.map((path) => [path, "{}\n"])), { enforce: "warn" })
  await datastore.add("texts", { "readme.txt": "" })
})
afterAll(() => datastore[Symbol.asyncDispose]())

const open = (url: string) => openFilesetDataset(parseFilesUrl(url, "default"), datastore.source)
const pathsOf = async (path: string) => (await open(`assay://datasets/default/questions/${path}`)).paths

describe("a dataset", () => {
  it.each([
    ["", ["Z.jsonl", "a/deep/y.parquet", "a/x.csv", "b.jsonl", "part-1.jsonl"]],
    ["b.jsonl", ["b.jsonl"]],
    ["notes.txt", ["notes.txt"]],
    ["a", ["a/deep/y.parquet", "a/x.csv"]],
    ["a/", ["a/deep/y.parquet", "a/x.csv"]],
    ["*.jsonl", ["Z.jsonl", "b.jsonl", "part-1.jsonl"]],
    ["a/*", ["a/x.csv"]],
    ["a/**", ["a/deep/y.parquet", "a/x.csv"]],
    ["part-?.jsonl", ["part-1.jsonl"]],
  ])("at '%s' has those row files, by code point", verifies("launch.files-url"), async (path, paths) => {
    expect(await pathsOf(path)).toEqual(paths)
  })

  it("is pinned by its fileset and its files", verifies("eval.pins"), async () => {
    const { pin, metadata } = await open("hf://datasets/default/questions/b.jsonl")
    expect(metadata).toEqual({ enforce: "warn" })
    expect(pin).toMatchObject({
      files_url: "hf://datasets/default/questions/b.jsonl",
      fileset: "default/questions",
      fileset_id: "fileset-questions",
      revision: null,
      files: [{ path: "b.jsonl", size: 3 }],
    })
    expect(pin.files[0]?.etag ?? pin.files[0]?.sha256).toBeTypeOf("string")
  })

  it.each([
    ["assay://datasets/default/questoins/b.jsonl", "near it: 'questions'"],
    ["assay://datasets/default/questions/note.txt", "near it: 'notes.txt'"],
    ["assay://datasets/default/questions/a/*.jsonl", "no file with rows is at 'a/*.jsonl'"],
    ["assay://datasets/default/texts", "the fileset has no file with rows; there: 'readme.txt'"],
    ["other/questions", "other/questions"],
  ])(
    "that does not exist is reported with similar names: %s",
    verifies("launch.files", "brief.condition.dataset-missing", "brief.condition.datastore"),
    async (url, near) => {
      const error = await open(url).catch((error: unknown) => error as AssayError)
      expect(error).toMatchObject({ code: "dataset_missing" })
      const { message } = error as AssayError
      expect(message).toContain(`Error occurred while checking the existence of file ${url} on the datastore`)
      expect(message).toContain(`Dataset ${url} is not present on datastore`)
      expect(message).toContain(near)
    },
  )
})

describe("a dataset on a hub", () => {
  let hub: FakeHub
  beforeAll(async () => {
    const files = { "rows.jsonl": Buffer.from("{}\n") }
    hub = await startFakeHub({
      repositories: [
        { id: "team/open", type: "dataset", files },
        { id: "team/gated", type: "dataset", gated: "manual", files },
        { id: "team/gone", type: "dataset", files },
      ],
    })
  })
  afterAll(() => hub.close())

  async function openRepository(repo_id: string): Promise<FilesetSource> {
    const { storage, configuration } = await openStorage(
      { type: "hub", repo_id, repo_type: "dataset", endpoint: hub.url },
      { remote: testRemote(() => "hf_key") },
    )
    const fileset = { id: "fileset-1", storage: configuration, purpose: "dataset" as const, metadata: {} }
    return { getFileset: async () => fileset, openStorage: async () => storage }
  }
  const reference = parseFilesUrl("hf://datasets/default/remote/rows.jsonl", "default")

  it("is pinned to its commit", verifies("eval.pins"), async () => {
    const { pin } = await openFilesetDataset(reference, await openRepository("team/open"))
    expect(pin.revision).toBe(hub.repository("team/open", "dataset").find("main")?.sha)
  })

  it(
    "that does not answer is reported with the reason",
    verifies("launch.files", "brief.condition.datastore"),
    async () => {
      const source = await openRepository("team/gone")
      hub.faults.add({ fault: { kind: "refuse", status: 500, message: "broken" } })
      await expect(openFilesetDataset(reference, source)).rejects.toMatchObject({
        code: "datastore_unreachable",
        message: expect.stringMatching(
          /^Error occurred while checking the existence of file hf:\/\/datasets\/default\/remote\/rows\.jsonl on the datastore: .*500: broken/,
        ),
      })
      hub.faults.clear()
    },
  )

  it("that is gated is reported with the page to ask for access", verifies("brief.condition.gated"), async () => {
    const dataset = await openFilesetDataset(reference, await openRepository("team/gated"))
    const reading = firstRows.read(dataset, 20).catch((error: unknown) => datasetFailure(reference.text, error))
    expect(await reading).toMatchObject({
      code: "gated_dataset",
      message: expect.stringContaining(`${hub.url}/datasets/team/gated`),
    })
  })

  it("is not read any further after an abort", async () => {
    const reason = new AssayError("unavailable", "gone")
    const options = { signal: AbortSignal.abort(reason) }
    await expect(openFilesetDataset(reference, await openRepository("team/open"), options)).rejects.toBe(reason)
  })
})
