import { setTimeout as sleep } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import type { JobProgress } from "@assay/results"
import type { BoundMetric } from "@assay/scoring"
import { createRunner } from "../testing/create-runner.ts"
import { tinyMetric, tinyPlan, tinyRows, tinySample } from "../testing/tiny-plan.ts"
import { createTaskRun } from "./attempt/task-run.ts"
import { createStop } from "./create-stop.ts"
import { countRows } from "./run-plan.ts"

describe("a plan", () => {
  it("yields between metrics and rows that take long", verifies("run.turns"), async () => {
    let time = 0
    let turn = 0
    let next = setImmediate(function count() {
      turn++
      next = setImmediate(count)
    })
    onTestFinished(() => clearImmediate(next))
    const seen: number[] = []
    const score: BoundMetric["score"] = () => {
      time += 50
      seen.push(turn)
      return { scores: { x: 1 } }
    }
    const metrics = ["one", "two", "three"].map((key) => tinyMetric(key, { scores: ["x"], score }))
    const environment = { now: () => time, random: () => 0.5, sleep: (ms: number) => sleep(ms) }
    await createRunner()(tinyPlan({ rows: tinyRows(3), metrics }), { environment })
    expect(new Set(seen).size).toBe(9)
  })

  it(
    "asks every row once, at most parallelism rows at a time, and writes each answer to the journal",
    verifies("run.parallelism"),
    async () => {
      let open = 0
      let most = 0
      const call = async (item: Readonly<Record<string, unknown>>) => {
        most = Math.max(most, ++open)
        await sleep(1)
        open--
        return tinySample(item["question"] === "question 3" ? "wrong" : "right")
      }
      const run = createRunner()
      const { lines, tasks, progress, end } = await run(tinyPlan({ ask: { kind: "call", call }, parallelism: 5 }))
      expect(end).toEqual({ kind: "finished" })
      expect(most).toBe(5)
      expect(lines.map(({ row_index }) => row_index).toSorted((a, b) => a - b)).toEqual([...Array(20).keys()])
      expect(lines.find(({ row_index }) => row_index === 3)).toEqual({
        task: "qa",
        row_index: 3,
        repeat: 0,
        attempt: 1,
        item: { question: "question 3" },
        sample: tinySample("wrong"),
        scores: { right: { right: 0 } },
        error: null,
      })
      expect(tasks[0]?.metrics["right"]?.["right"]).toMatchObject({ value: 0.95, stats: { count: 20 } })
      expect(progress).toEqual({
        processed: 20,
        asked: 20,
        total: 20,
        units: { qa: 20 },
        standing: 0,
        failed: 0,
        tasks: { qa: "completed" },
        means: { "qa.right.right": 0.95 },
        tokens: { prompt: 40, completion: 20, unsplit: 0, uncounted: 0 },
      })
    },
  )

  it("does not treat the scores of an amount as a rate, even if all of them are 1", async () => {
    const intervalOf = async (isAmount: boolean) => {
      const { tasks } = await createRunner()(tinyPlan({ metrics: [tinyMetric("right", { isAmount })] }))
      return tasks[0]?.metrics["right"]?.["right"]?.stats?.interval
    }
    // Twenty equal amounts do not show how amounts vary.
    expect(await intervalOf(true)).toBeNull()
    expect(await intervalOf(false)).toMatchObject({ method: "wilson" })
  })

  it("gives four counts with every mean", verifies("run.numbers"), async () => {
    const answers = ["right", "unreadable", "right", "wrong"]
    const rows = tinyRows(8).map((row) => (row.index === 7 ? { ...row, fault: "The row in line 8 is not JSON." } : row))
    const ask = {
      kind: "given" as const,
      take: ({ question }: Readonly<Record<string, unknown>>) => sampleOf(question),
    }
    const sampleOf = (question: unknown) => {
      if (question === "question 6") throw new AssayError("bad_request", "The row has no output; give it one.")
      return tinySample(answers[Number(String(question).slice(9)) % 4] ?? "")
    }
    const { tasks, lines, failures } = await createRunner()(tinyPlan({ rows, ask, count: () => Promise.resolve(8) }))
    expect(tasks[0]?.metrics["right"]?.["right"]).toMatchObject({
      value: 0.75,
      counts: { scored: 4, unreadable: 2, errored: 2, skipped: 0 },
    })
    expect(failures.map(({ code }) => code)).toEqual(["bad_request", "rows_invalid"])
    expect(lines[7]).toMatchObject({
      sample: null,
      scores: {},
      error: { code: "rows_invalid", message: "The row in line 8 is not JSON." },
    })
  })

  it("keeps the scores of one metric if another fails, remote or not", async () => {
    const metrics = [
      tinyMetric("a", { score: () => Promise.reject(new AssayError("request_timeout", "Too slow.")), isRemote: true }),
      tinyMetric("b", { isRemote: true, score: () => sleep(1, { scores: { b: 0.5 }, labels: { b: "fair" } }) }),
      tinyMetric("c", {
        score() {
          throw new TypeError("it is ours")
        },
      }),
      tinyMetric("d"),
    ]
    const { lines, tasks } = await createRunner()(tinyPlan({ rows: tinyRows(2), metrics }))
    expect(lines[0]).toMatchObject({
      scores: { b: { b: 0.5 }, d: { d: 1 } },
      labels: { b: { b: "fair" } },
      error: { code: "request_timeout", message: "Too slow." },
    })
    expect(tasks[0]?.metrics["b"]?.["b"]).toMatchObject({ labels: { fair: 2 }, counts: { scored: 2, errored: 0 } })
    expect(tasks[0]?.metrics["a"]?.["a"]).toMatchObject({ value: "NaN", counts: { scored: 0, errored: 2 } })
    expect(tasks[0]?.metrics["c"]?.["c"]?.counts.errored).toBe(2)
  })

  it(
    "asks each row as often as it repeats, and reports pass@k, majority and flip rate",
    verifies("metric.repeats"),
    async () => {
      const right = new Set(["0/0", "0/1", "0/2", "1/0", "1/1", "2/0"])
      const call = (item: Readonly<Record<string, unknown>>, { repeat }: { repeat: number }) =>
        Promise.resolve(tinySample(right.has(`${String(item["question"]).slice(9)}/${repeat}`) ? "right" : "wrong"))
      const plan = tinyPlan({ rows: tinyRows(4), ask: { kind: "call", call }, repeats: 3 })
      const { lines, tasks, progress } = await createRunner()(plan)
      expect(new Set(lines.map(({ row_index, repeat }) => `${row_index}/${repeat}`)).size).toBe(12)
      expect(progress).toMatchObject({ processed: 12, total: 12 })
      const score = tasks[0]?.metrics["right"]?.["right"]
      expect(score?.repeats).toEqual({
        repeats: 3,
        rows: 4,
        pass_at_k: 0.75,
        pass_pow_k: 0.25,
        majority: 0.5,
        flip_rate: 0.5,
        // 3, 2, 1 and 0 of 3 answers are right.
        pass_at: [0.5, (1 + 1 + 2 / 3) / 4, 0.75].map((share) => expect.closeTo(share, 12) as number),
      })
      expect(score).toMatchObject({ value: 0.5, stats: { count: 12, noise: { rows: 4 } } })
      expect(score?.stats?.noise?.within).toBeCloseTo(1 / 6, 12)
      expect(score?.stats?.noise?.between).toBeCloseTo(7 / 54, 12)
      const grouped = await createRunner()({
        ...plan,
        tasks: plan.tasks.map((task) => ({ ...task, clusterBy: "question" })),
      })
      expect(grouped.tasks[0]?.metrics["right"]?.["right"]?.stats).not.toHaveProperty("noise")
    },
  )

  it("computes corpus scores over all rows, without stats", async () => {
    const createCorpusScores = () => {
      let count = 0
      return { all: { add: () => void count++, value: () => count } }
    }
    const metrics = [tinyMetric("right", { scores: ["right", "all"], createCorpusScores })]
    const { tasks } = await createRunner()(tinyPlan({ metrics }))
    expect(tasks[0]?.metrics["right"]?.["all"]).toEqual({
      stats: null,
      value: 20,
      counts: { scored: 20, unreadable: 0, errored: 0, skipped: 0 },
    })
  })

  it("reports its progress with running means", async () => {
    const reports: JobProgress[] = []
    let time = 0
    const environment = { now: () => (time += 100), random: () => 0, sleep: () => Promise.resolve() }
    await createRunner()(tinyPlan({}), { environment, onProgress: (progress) => reports.push(progress) })
    expect(reports.length).toBeGreaterThan(4)
    const processed = reports.map(({ processed }) => processed)
    expect(processed).toEqual(processed.toSorted((a, b) => a - b))
    expect(reports.at(-1)).toMatchObject({ processed: 20, total: 20, tasks: { qa: "completed" } })
    expect(reports[1]?.tasks).toEqual({ qa: "running" })
  })

  it("reports the last row before a long wait, even if it came right after a report", async () => {
    const reports: JobProgress[] = []
    const waits: (() => void)[] = []
    const sleep = () => new Promise<void>((resolve) => waits.push(resolve))
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    let asked = 0
    const call = async () => {
      asked++
      if (asked > 1) await answered
      return tinySample("right")
    }
    const plan = tinyPlan({ rows: tinyRows(2), ask: { kind: "call", call } })
    const environment = { now: () => 0, random: () => 0, sleep }
    const ended = createRunner()(plan, { environment, onProgress: (progress) => reports.push(progress) })
    await expect.poll(() => waits.length).toBe(1)
    for (const resolve of waits.splice(0)) resolve()
    await expect.poll(() => reports.at(-1)?.processed).toBe(1)
    answer()
    expect(await ended).toMatchObject({ progress: { processed: 2 } })
  })

  it("yields while it scores rows that need no request", async () => {
    let turns = 0
    let turnsAtLast = 0
    const timer = setInterval(() => turns++, 1)
    await createRunner()(tinyPlan({ rows: tinyRows(10_000) }), { onRow: () => (turnsAtLast = turns) })
    clearInterval(timer)
    expect(turnsAtLast).toBeGreaterThan(3)
  })

  it("reports nothing after its end", async () => {
    const reports: JobProgress[] = []
    const { promise: counted, resolve: count } = Promise.withResolvers<number>()
    await createRunner()(tinyPlan({ count: () => counted }), { onProgress: (progress) => reports.push(progress) })
    const atEnd = reports.length
    count(20)
    // Code that waited for the count has run when this turn ends.
    await new Promise((resolve) => setImmediate(resolve))
    expect(reports).toHaveLength(atEnd)
  })

  it("runs its tasks one after another, including those without metrics", async () => {
    const order: string[] = []
    const taskOf = (name: string) => {
      const call = async () => {
        order.push(name)
        await sleep(1)
        return tinySample("right")
      }
      return tinyPlan({ name, rows: tinyRows(3), ask: { kind: "call", call }, metrics: [], group: "g" }).tasks
    }
    const run = createRunner()
    const plan = { ...tinyPlan({}), tasks: [...taskOf("a"), ...taskOf("b")] }
    const { tasks, progress } = await run(plan)
    expect(order).toEqual(["a", "a", "a", "b", "b", "b"])
    expect(progress).toMatchObject({ processed: 6, total: 6, tasks: { a: "completed", b: "completed" } })
    expect(tasks).toEqual([
      { task: "a", group: "g", metrics: {} },
      { task: "b", group: "g", metrics: {} },
    ])
    expect((await run(plan)).progress.processed).toBe(6)
    expect(order).toHaveLength(6)
  })

  it("leaves a row out of all counts of a score that does not apply to it", async () => {
    const isEven = (item: Readonly<Record<string, unknown>>) => Number(String(item["question"]).slice(9)) % 2 === 0
    const score = ({ item }: { item: Readonly<Record<string, unknown>> }) => ({
      scores: isEven(item) ? { a: 1 } : { b: 0 },
    })
    const metrics = [tinyMetric("m", { scores: ["a", "b"], score, labels: { a: ["fair", "poor"] } })]
    const { tasks } = await createRunner()(tinyPlan({ rows: tinyRows(5), metrics }))
    const { a, b } = tasks[0]?.metrics["m"] ?? {}
    expect([a?.counts, b?.counts]).toMatchObject([
      { scored: 3, skipped: 0 },
      { scored: 2, skipped: 0 },
    ])
    expect([a?.labels, b?.labels]).toEqual([{ fair: 0, poor: 0 }, undefined])
  })
})

it("a fault while rows are counted ends the job, not the process", verifies("run.failed-rows"), async () => {
  const [task] = tinyPlan({}).tasks
  if (task === undefined) throw new Error("There is no task.")
  const stop = createStop(new AbortController().signal)
  const run = createTaskRun(task, { attempt: 1, scope: { kind: "run" } })
  const counting = countRows([run], stop, () => {
    throw new Error("broken")
  })
  await counting.done
  expect(stop.end()).toMatchObject({ kind: "failed", code: "internal", message: expect.stringContaining("broken") })
})

it(
  "a max_failed_share below 0 allows no failed row, but does not fail a job that has none",
  verifies("run.failed-rows"),
  async () => {
    const { end } = await createRunner()(tinyPlan({ maxFailedShare: -1 }))
    expect(end).toEqual({ kind: "finished" })
  },
)
