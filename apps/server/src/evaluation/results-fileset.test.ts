import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openResultsFileset } from "./results-fileset.ts"

const JOB = { id: "eval-1", namespace: "default", output_files_url: null }
const OWN_ALONE = { edits: () => false }

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

  async function contents(files: Awaited<ReturnType<typeof openResultsFileset>>) {
    const all: Record<string, string> = {}
    for await (const file of files.files()) {
      all[file.path] = Buffer.concat(await Array.fromAsync(file.open(), (piece) => Buffer.from(piece))).toString()
    }
    return all
  }

  it("is an ordinary one of the workspace, made once and written over in later rounds [results.fileset]", async () => {
    const first = await openResultsFileset(registry, JOB, OWN_ALONE)
    expect(first.filesUrl).toBe("hf://datasets/default/evaluation-eval-1")
    await first.write("results/results.json", bytesOf("one"))
    await first.write("config/job.json", bytesOf("{}"))
    const again = await openResultsFileset(registry, JOB, OWN_ALONE)
    await again.write("results/results.json", bytesOf("two"))
    expect(await contents(again)).toEqual({ "config/job.json": "{}", "results/results.json": "two" })
    expect(await registry.filesets.get("default", "evaluation-eval-1")).toMatchObject({
      purpose: "generic",
      custom_fields: { evaluation_job: "eval-1" },
    })
    await again.remove()
    await again.remove()
    await expect(registry.filesets.get("default", "evaluation-eval-1")).rejects.toMatchObject({ code: "not_found" })
  })

  it("is a folder of the fileset that output_files_url names, a job's own", async () => {
    await registry.filesets.create("default", { name: "kept" })
    const open = (id: string) => {
      return openResultsFileset(
        registry,
        { ...JOB, id, output_files_url: "hf://datasets/default/kept/runs" },
        OWN_ALONE,
      )
    }
    const [one, two] = [await open("eval-1"), await open("eval-2")]
    expect(one.filesUrl).toBe("hf://datasets/default/kept/runs/eval-1")
    await one.write("results/results.json", bytesOf("one"))
    await two.write("results/results.json", bytesOf("two"))
    expect(await contents(one)).toEqual({ "results/results.json": "one" })
    await one.remove()
    expect((await registry.files.list("default", "kept", {})).data.map(({ path }) => path)).toEqual([
      "runs/eval-2/results/results.json",
    ])
  })

  it("lies in another workspace only for who may write there", async () => {
    await registry.workspaces.create({ name: "other" })
    await registry.filesets.create("other", { name: "kept" })
    const job = { ...JOB, output_files_url: "assay://datasets/other/kept" }
    await expect(openResultsFileset(registry, job, OWN_ALONE)).rejects.toMatchObject({ code: "forbidden" })
    const allowed = await openResultsFileset(registry, job, { edits: (workspace) => workspace === "other" })
    await allowed.write("a", bytesOf("x"))
    expect(await contents(allowed)).toEqual({ a: "x" })
  })

  it("lists nothing, and is none, before anything was written", async () => {
    const files = await openResultsFileset(registry, JOB, OWN_ALONE)
    await expect(contents(files)).rejects.toMatchObject({ code: "not_found" })
  })
})
