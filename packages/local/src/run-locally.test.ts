import { existsSync, mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { localTestPorts } from "./testing/local-test-ports.ts"
import { readResultsFolder } from "./runs/results-folder.ts"
import { runAgain, runLocally, type RunLocallyOptions } from "./run-locally.ts"
import { readRunRecord, writeRunRecord } from "./runs/run-record.ts"

let root: DisposableTempDir
let events: string[]
beforeEach(() => {
  root = mkdtempDisposableSync(join(tmpdir(), "assay-local-"))
  events = []
  writeFileSync(join(root.path, "rows.csv"), "question,reference,output\na,1,1\nb,2,3\n")
  return () => root.remove()
})

const dataset = { files_url: "./rows.csv" }
const metrics = { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } }
const job: LaunchSubject = {
  namespace: "default",
  target: { type: "cached_outputs", cached_outputs: dataset },
  config: { type: "custom", tasks: { qa: { type: "data", dataset, metrics } } },
}

function run(over: Partial<RunLocallyOptions> = {}) {
  return runLocally(localTestPorts(root.path), {
    job,
    name: "capitals",
    file: join(root.path, "eval.yaml"),
    overrides: {},
    folder: root.path,
    dataFolder: join(root.path, "runs"),
    out: undefined,
    gates: [{ name: "qa.exact.em_score", limit: { atLeast: 0.9 } }],
    skipChecks: false,
    fresh: false,
    listener: {
      onWarnings: () => events.push("warnings"),
      onEstimate: ({ requests }) => events.push(`${requests} requests`),
      onResumed: () => events.push("resumed"),
      onOtherInterrupted: (folder, canResume) => events.push(`beside ${basename(folder)} ${canResume}`),
      onProgress: () => events.push("progress"),
      onLog: () => undefined,
      onRowsDone: () => events.push("rows done"),
    },
    signal: new AbortController().signal,
    ...over,
  })
}

describe("runLocally", () => {
  it("writes record, journal and results to a folder below the data folder, and checks the gates", async () => {
    const { folder, outcome, gates, isInterrupted } = await run()
    expect(folder).toBe(join(root.path, "runs", "capitals-19700101-000000"))
    expect([outcome.status, isInterrupted, gates[0]?.verdict]).toEqual(["COMPLETED", false, "INCONCLUSIVE"])
    expect(await readRunRecord(folder)).toMatchObject({ status: "COMPLETED", attempt: 1, pid: 1 })
    const { job: stored, result } = await readResultsFolder(folder, "./run")
    expect(stored).toMatchObject({ namespace: "default", status: "COMPLETED" })
    expect(result.tasks["qa"]?.metrics["exact"]?.scores["em_score"]?.value).toBe(0.5)
    expect(events.at(-1)).toBe("rows done")
  })

  it("fails with launch_refused before it creates a folder", async () => {
    const wrong = {
      ...job,
      config: { ...job.config, tasks: { qa: { type: "data", dataset, metrics: { exact: { type: "no" } } } } },
    }
    await expect(run({ job: wrong })).rejects.toMatchObject({ code: "launch_refused" })
    expect(existsSync(join(root.path, "runs"))).toBe(false)
  })

  it("resumes an interrupted run of the same job, unless it is fresh", async () => {
    const first = await run()
    const record = await readRunRecord(first.folder)
    if (record === undefined) throw new Error("There is no record.")
    await writeRunRecord(first.folder, { ...record, status: "RUNNING", pid: 2 })
    expect((await run({ fresh: true })).folder).not.toBe(first.folder)
    expect(events).not.toContain("resumed")
    const second = await run()
    expect([second.folder, second.id]).toEqual([first.folder, first.id])
    expect(events).toContain("resumed")
  })
})

describe("a new run of a file", () => {
  const interrupt = async (folder: string) => {
    const record = await readRunRecord(folder)
    if (record !== undefined) await writeRunRecord(folder, { ...record, status: "RUNNING", pid: 2 })
  }
  const beside = () => events.filter((event) => event.startsWith("beside"))

  it("names an interrupted one that other options, or a changed file, keep from being resumed", async () => {
    const { folder } = await run()
    await interrupt(folder)
    const other = { ...job, config: { ...job.config, params: { parallelism: 2 } } }
    const second = await run({ job: other, overrides: { parallelism: 2 } })
    expect([second.folder, beside()]).not.toContain(folder)
    expect(beside()).toEqual(["beside capitals-19700101-000000 true"])
    await interrupt(second.folder)
    await run({ job: { ...job, config: { ...job.config, params: { parallelism: 3 } } }, overrides: { parallelism: 2 } })
    expect(beside()[1]).toBe("beside capitals-19700101-000000-2 false")
  })

  it("is silent about one that was run again since, of another file, and if it is fresh", async () => {
    const { folder } = await run()
    const other = { ...job, config: { ...job.config, params: { parallelism: 2 } } }
    const second = await run({ job: other })
    await interrupt(folder)
    await run({ job: other })
    await interrupt(second.folder)
    await run({ file: join(root.path, "another.yaml") })
    await run({ fresh: true })
    expect(beside()).toEqual([])
  })
})

describe("runAgain", () => {
  it("refuses a run whose rows have changed", async () => {
    const { folder } = await run()
    const record = await readRunRecord(folder)
    if (record === undefined) throw new Error("There is no record.")
    const again = () =>
      runAgain(localTestPorts(root.path), {
        job,
        folder: root.path,
        runFolder: folder,
        name: "./run",
        record,
        scope: { kind: "retry-failed" },
        gates: [],
        listener: { onProgress: () => undefined, onLog: () => undefined, onRowsDone: () => undefined },
        signal: new AbortController().signal,
      })
    expect((await again()).outcome.status).toBe("COMPLETED")
    expect(await readRunRecord(folder)).toMatchObject({ attempt: 2 })
    writeFileSync(join(root.path, "rows.csv"), "question,reference,output\na,1,2\n")
    await expect(again()).rejects.toMatchObject({
      code: "bad_document",
      message: expect.stringContaining("have changed since it was run"),
    })
  })
})
