import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport, NO_PATIENCE, parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openResultsFileset } from "./results-fileset.ts"
import { filesUrlOfLocation, findResultsLocation } from "./results-location.ts"
import { stageResults } from "../service/stage-results.ts"

const ownAlone = () => false

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text)
}

describe("the fileset of results", () => {
  let folder: string
  let registry: Registry
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-results-"))
    registry = await openRegistry({
      database: { kind: "sqlite", file: join(folder, "assay.db") },
      defaultStorage: { type: "local", path: join(folder, "storage") },
      allowedLocalRoots: [],
      encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
      now: Date.now,
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      randomBytes,
      transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
      random: Math.random,
      sleep: () => Promise.resolve(),
    })
  })
  afterEach(async () => {
    await registry.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function contents(files: ReturnType<typeof openResultsFileset>) {
    const all: Record<string, string> = {}
    for await (const file of files.files()) {
      all[file.path] = Buffer.concat(await Array.fromAsync(file.open(), (piece) => Buffer.from(piece))).toString()
    }
    return all
  }

  /** Runs a job to its end with these results. A job that has ended is restarted. */
  async function endWith(id: string, results: Readonly<Record<string, string>>) {
    const job = await registry.jobs.get(id)
    if (job.status === "FAILED") await registry.jobs.restart(id, { kind: "run" })
    const { run, staged, filesUrl } = await stage(id)
    for (const [path, text] of Object.entries(results)) await staged.write(path, () => bytesOf(text))
    await staged.keepOthers()
    const ended = await run.end({ to: "FAILED", message: "", results: staged.toPublish.results })
    await staged.toPublish.settle(ended !== undefined)
    return filesUrl
  }

  async function stage(id: string) {
    const run = await registry.jobs.claim(id)
    if (run === undefined) throw new Error("The job is another runner's.")
    const findLocation = () => findResultsLocation(registry.jobs, run.job, ownAlone)
    const { signal } = new AbortController()
    const staged = await stageResults(run, { files: registry, findLocation, signal, outages: NO_PATIENCE })
    return { run, staged, filesUrl: filesUrlOfLocation(await findLocation(), run.folder) }
  }

  const create = (output_files_url: string | null = null, resultsFileset?: string) =>
    registry.jobs.create({
      resultsFileset,
      namespace: "default",
      target: { type: "rows" },
      config: { type: "custom" },
      output_files_url,
    })

  async function open(id: string) {
    const location = await findResultsLocation(registry.jobs, await registry.jobs.get(id), ownAlone)
    return openResultsFileset(registry, location)
  }

  const pathsIn = async (name: string) => (await registry.files.list("default", name, {})).data.map(({ path }) => path)

  it(
    "is a fileset of the workspace, and files that a later attempt does not write stay",
    verifies("results.fileset"),
    async () => {
      const { id } = await create()
      const url = await endWith(id, { "results/results.json": "one", "config/job.json": "{}" })
      expect(url).toBe(`hf://datasets/default/evaluation-${id}`)
      await registry.files.write("default", `evaluation-${id}`, parseFilePath("notes.md"), bytesOf("a user's"))
      await endWith(id, { "results/results.json": "two" })
      const kept = { "config/job.json": "{}", "notes.md": "a user's", "results/results.json": "two" }
      expect(await contents(await open(id))).toEqual(kept)
      expect(await pathsIn(`evaluation-${id}`)).toEqual(Object.keys(kept))
      expect(await registry.filesets.get("default", `evaluation-${id}`)).toMatchObject({
        purpose: "generic",
        custom_fields: { evaluation_job: id },
      })
      const results = await open(id)
      await results.remove()
      await results.remove()
      await expect(registry.filesets.get("default", `evaluation-${id}`)).rejects.toMatchObject({ code: "not_found" })
    },
  )

  it(
    "is a folder for the job in the fileset of output_files_url, with a folder for each runner",
    verifies("results.fenced"),
    async () => {
      await registry.filesets.create("default", { name: "kept" })
      const url = "hf://datasets/default/kept/runs"
      const [one, two] = [(await create(url)).id, (await create(url)).id]
      expect(await endWith(one, { "results/results.json": "one", "results/rows.jsonl": "rows" })).toBe(
        `hf://datasets/default/kept/runs/${one}/attempt-1`,
      )
      await endWith(two, { "results/results.json": "two" })
      await registry.jobs.restart(one, { kind: "run" })
      const lost = await stage(one)
      await lost.staged.write("results/results.json", () => bytesOf("lost"))
      expect(await contents(await open(one))).toEqual({ "results/results.json": "one", "results/rows.jsonl": "rows" })
      await lost.run.release()
      const next = await stage(one)
      await next.staged.write("results/results.json", () => bytesOf("next"))
      await lost.staged.write("results/rows.jsonl", () => bytesOf("late"))
      await next.staged.keepOthers()
      await next.run.end({ to: "COMPLETED", message: "", results: next.staged.toPublish.results })
      const late = await lost.run.end({ to: "COMPLETED", message: "", results: lost.staged.toPublish.results })
      expect(late).toBeUndefined()
      await lost.staged.toPublish.settle(false)
      await next.staged.toPublish.settle(true)
      expect(await contents(await open(one))).toEqual({ "results/results.json": "next", "results/rows.jsonl": "rows" })
      await (await open(one)).remove()
      expect(await pathsIn("kept")).toEqual([`runs/${two}/attempt-1/results/results.json`])
    },
  )

  it("follows the fileset of the launch when it gets another name", verifies("results.bound"), async () => {
    const kept = await registry.filesets.create("default", { name: "kept" })
    const { id } = await create("hf://datasets/default/kept/runs", kept.id)
    const { run, staged } = await stage(id)
    async function* renaming() {
      yield Buffer.from("on")
      await registry.filesets.update("default", "kept", { name: "moved" })
      await registry.filesets.create("default", { name: "kept" })
      yield Buffer.from("e")
    }
    await staged.write("results/results.json", () => renaming())
    await staged.write("results/rows.jsonl", () => bytesOf("rows"))
    await staged.keepOthers()
    await run.end({ to: "FAILED", message: "", results: staged.toPublish.results })
    await staged.toPublish.settle(true)
    expect(await contents(await open(id))).toEqual({ "results/results.json": "one", "results/rows.jsonl": "rows" })
    expect(await pathsIn("kept")).toEqual([])
    expect(await endWith(id, { "results/results.json": "two" })).toBe(
      `hf://datasets/default/moved/runs/${id}/attempt-2`,
    )
    expect(await contents(await open(id))).toEqual({ "results/results.json": "two", "results/rows.jsonl": "rows" })
    await registry.filesets.remove("default", "moved")
    await expect(open(id)).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("was removed") })
  })

  it("is in another workspace only if the job may write there", async () => {
    const job = await create("assay://datasets/other/kept")
    await expect(findResultsLocation(registry.jobs, job, ownAlone)).rejects.toMatchObject({ code: "forbidden" })
    expect(await findResultsLocation(registry.jobs, job, (workspace) => workspace === "other")).toEqual({
      workspace: "other",
      name: "kept",
      filesetId: undefined,
      folder: `${job.id}/`,
      isOwn: false,
      runnerFolder: "",
    })
  })

  it("does not exist before anything was written", async () => {
    const { id } = await create()
    await expect(contents(await open(id))).rejects.toMatchObject({ code: "not_found" })
  })
})
