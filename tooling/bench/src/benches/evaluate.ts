import { rm } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { EvaluationTargetBody } from "@assay/schemas"
import { CLI_MAIN } from "../assay-server.ts"
import { atLeast, atMost, forComparison, type Bench, type Measurement } from "../bench.ts"
import { startChildServer, type ChildServer } from "../child-server.ts"
import { askingConfig, modelAt, scoringConfig, writeEvaluation } from "../evaluate/evaluation-file.ts"
import { TURNS, writeConversations } from "../evaluate/conversation-file.ts"
import { preparePromptfoo } from "../evaluate/promptfoo.ts"
import type { RunReport, RunSpec } from "../evaluate/run-spec.ts"
import { writeQuestions } from "../evaluate/write-questions.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { cpuSeconds } from "../measure/cpu-seconds.ts"
import { inTurns } from "../measure/in-turns.ts"
import { outputOf } from "../measure/output-of.ts"
import { runCommand } from "../measure/run-command.ts"

const MIB = 1_048_576
const ROWS = 200_000
const DATASET = "assay://datasets/bench/questions/rows.jsonl"
const script = (name: string) => fileURLToPath(new URL(`../evaluate/${name}.ts`, import.meta.url))
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url))
const RUN_JOB = join(PACKAGE, "dist/run-job/main.js")

/** Rows, latency, requests in flight, and the bars against the two bare loops. */
const RUNS = [
  { rows: 1000, latencyMs: 0, parallelism: 64, openaiBar: 1.05, undiciBar: 0.6 },
  { rows: 1000, latencyMs: 50, parallelism: 64, openaiBar: 0.85, undiciBar: 0.6 },
  { rows: 5000, latencyMs: 50, parallelism: 256, openaiBar: 1, undiciBar: 0.85 },
] as const

type Run = (typeof RUNS)[number]

/** Returns the arguments of `assay eval run` for a new run of a file in `folder`. */
const evalRun = (folder: string, ...more: string[]) => [
  CLI_MAIN,
  "eval",
  "run",
  join(folder, "evaluation.json"),
  "--local",
  "--fresh",
  "--data-dir",
  join(folder, "runs"),
  ...more,
]

/** Measures whole processes, from cold start through checks to result files. */
async function asked(folder: string, run: Run): Promise<readonly Measurement[]> {
  const { rows, latencyMs, parallelism } = run
  const fake = await startChildServer(fakeServer("chat"), [String(latencyMs)])
  const file = join(folder, "rows.jsonl")
  await writeEvaluation(join(folder, "evaluation.json"), {
    target: modelAt(fake.url),
    config: askingConfig("./rows.jsonl", rows, parallelism),
  })
  const bare = (client: string) =>
    runCommand(process.execPath, [
      script("bare-loop"),
      client,
      fake.url,
      file,
      String(rows),
      String(parallelism),
      join(folder, client),
    ])
  const promptfoo = await preparePromptfoo({ folder, url: fake.url, rows: file, count: rows, parallelism })
  const [ours, openai, undici, theirs] = await inTurns([
    () => runCommand(process.execPath, evalRun(folder)),
    () => bare("openai"),
    () => bare("undici"),
    ...(promptfoo === undefined ? [] : [promptfoo]),
  ])
  await fake.stop()
  await rm(join(folder, "runs"), { recursive: true, force: true })
  const name = `${rows.toLocaleString("en-US")} rows at ${latencyMs} ms, ${parallelism} in flight`
  const does =
    "`assay eval run` as a cold process with checks and result files, to a script that reads, asks, compares and writes"
  const detail = (peer: number) => `${ours.toFixed(2)} s to ${peer.toFixed(2)} s`
  return [
    atLeast(
      { work: `${name}, to openai`, does: `${does}, with openai.` },
      openai / ours,
      run.openaiBar,
      detail(openai),
    ),
    atLeast(
      { work: `${name}, to undici`, does: `${does}, with undici.` },
      undici / ours,
      run.undiciBar,
      detail(undici),
    ),
    forComparison(
      { work: `${name}, to promptfoo`, does: "The same command, to `promptfoo eval` without its cache." },
      theirs === undefined ? "not installed" : `${(theirs / ours).toFixed(2)} (${detail(theirs)})`,
    ),
  ]
}

const CONVERSATIONS = 1000
const IN_FLIGHT = 16
/** Of an answer. A turn has two: the call of the tool, and what is said about its result. */
const ANSWER_MS = 50

/** Measures whole processes that hold conversations of six turns with a tool, and what the second run costs. */
async function held(folder: string): Promise<readonly Measurement[]> {
  const fake = await startChildServer(fakeServer("agent"), [String(ANSWER_MS)])
  const file = join(folder, "evaluation.json")
  await writeConversations(file, fake.url, IN_FLIGHT)
  const rows = ["--limit", String(CONVERSATIONS)]
  const bare = [fake.url, join(folder, "rows.jsonl"), String(CONVERSATIONS), String(IN_FLIGHT), join(folder, "held")]
  const [ours, theirs] = await inTurns([
    () => runCommand(process.execPath, evalRun(folder, ...rows)),
    () => runCommand(process.execPath, [script("bare-conversations"), ...bare]),
  ])
  const again = evalRun(folder, ...rows, "--replay-only").filter((word) => word !== "--fresh")
  const replay = await cpuSeconds(process.execPath, again)
  await fake.stop()
  await rm(join(folder, "runs"), { recursive: true, force: true })
  const work = `${CONVERSATIONS.toLocaleString("en-US")} conversations of ${TURNS} turns, ${IN_FLIGHT} in flight`
  const does =
    "`assay eval run` of conversations with a tool, each answer durable before the next request, at 0.1 s a turn, to a script with openai that records nothing."
  return [
    atMost({ work, does }, ours / theirs, 1.15, `${ours.toFixed(2)} s to ${theirs.toFixed(2)} s`),
    forComparison(
      { work: `${work}, replayed`, does: "CPU time of the second run, which asks nothing." },
      `${replay.toFixed(2)} s`,
    ),
  ]
}

/** Measures the CPU time of one row, which is mostly the start of the process. */
async function oneRow(folder: string): Promise<readonly Measurement[]> {
  const fake = await startChildServer(fakeServer("chat"), ["0"])
  await writeEvaluation(join(folder, "evaluation.json"), {
    target: modelAt(fake.url),
    config: askingConfig("./rows.jsonl", 1000, 64),
  })
  const bare = [script("bare-loop"), "openai", fake.url, join(folder, "rows.jsonl"), "1", "1", join(folder, "one")]
  const [ours, theirs] = await inTurns(
    [() => cpuSeconds(process.execPath, evalRun(folder, "--limit", "1")), () => cpuSeconds(process.execPath, bare)],
    9,
  )
  await fake.stop()
  const does = "CPU time of `assay eval run --limit 1`, to that of a script that asks once with openai."
  const detail = `${ours.toFixed(2)} s to ${theirs.toFixed(2)} s`
  return [atMost({ work: "CPU of one row", does }, ours / theirs, 1.5, detail)]
}

type Job = Pick<RunSpec, "target" | "config">

const askingJob = (fake: ChildServer, rows: number): Job => ({
  target: modelAt(fake.url),
  config: askingConfig(DATASET, rows, 64),
})

/** Runs a job in a separate process, from the beginning unless its journal is kept. */
async function runJob(folder: string, job: Job, keepsJournal = false): Promise<RunReport> {
  if (!keepsJournal) await rm(join(folder, "rows.journal"), { force: true })
  return JSON.parse(await outputOf(RUN_JOB, [JSON.stringify({ folder, ...job })])) as RunReport
}

async function grown(folder: string): Promise<readonly Measurement[]> {
  const fake = await startChildServer(fakeServer("chat"), ["0"])
  const few = await runJob(folder, askingJob(fake, 1000))
  const many = await runJob(folder, askingJob(fake, 100_000))
  await fake.stop()
  const growth = (many.peakBytes - few.peakBytes) / MIB
  const detail = `${(many.peakBytes / MIB).toFixed(0)} MiB in all`
  const does = "Highest resident memory of a run of 100,000 rows minus that of 1,000 rows."
  return [atMost({ work: "memory of many asked rows, MiB", does }, growth, 64, detail)]
}

/** Measures a resumed job: the journal of 100,000 rows is complete, and ten more rows are to be asked. */
async function resumed(folder: string): Promise<readonly Measurement[]> {
  const untilFirst = async (work: (fake: ChildServer) => Promise<unknown>) => {
    const fake = await startChildServer(fakeServer("chat"), ["first"])
    const started = Date.now()
    await work(fake)
    const first = Number(await (await fetch(fake.url)).text())
    await fake.stop()
    return (first - started) / 1000
  }
  const paths = [join(folder, "rows.jsonl"), join(folder, "rows.journal")]
  let rows = 100_000
  const [ours, theirs] = await inTurns([
    () => untilFirst((fake) => runJob(folder, askingJob(fake, (rows += 10)), true)),
    () => untilFirst((fake) => outputOf(script("bare-resume"), [fake.url, ...paths])),
  ])
  const does =
    "Time to the first new question with 100,000 answered rows, to a script that parses the rows and the journal."
  const detail = `${ours.toFixed(2)} s to ${theirs.toFixed(2)} s`
  return [atMost({ work: "resume", does }, ours / theirs, 2, detail)]
}

async function scored(folder: string): Promise<readonly Measurement[]> {
  await writeEvaluation(join(folder, "evaluation.json"), {
    target: { type: "cached_outputs", cached_outputs: { files_url: "./rows.jsonl" } },
    config: scoringConfig(),
  })
  const bare = [script("bare-scores"), join(folder, "rows.jsonl"), join(folder, "scores")]
  const [ours, theirs] = await inTurns([
    () => runCommand(process.execPath, evalRun(folder)),
    () => runCommand(process.execPath, bare),
  ])
  const does =
    "`assay eval run` with exact match and F1 of 200,000 outputs, to a script that does the same line by line."
  const detail = `${Math.round(ROWS / ours)} rows/s to ${Math.round(ROWS / theirs)} rows/s`
  const target: EvaluationTargetBody = { type: "cached_outputs", cached_outputs: { files_url: DATASET } }
  const { peakBytes } = await runJob(folder, { target, config: scoringConfig() })
  return [
    atLeast({ work: "scores of existing outputs", does }, theirs / ours, 0.4, detail),
    atMost(
      { work: "memory of that, MiB", does: "Highest resident memory of the process." },
      peakBytes / MIB,
      400,
      "200,000 rows",
    ),
  ]
}

export const evaluate: Bench = {
  name: "evaluate",
  async run({ folder, part }) {
    await writeQuestions(join(folder, "rows.jsonl"), ROWS)
    // As the command line is: a process that loads hundreds of files measures their loading.
    await runCommand("pnpm", ["--dir", PACKAGE, "run", "bundle"])
    for (const run of RUNS) await part(`${run.rows} rows at ${run.latencyMs} ms`, () => asked(folder, run))
    await part("conversations", () => held(folder))
    await part("one row", () => oneRow(folder))
    await part("memory", () => grown(folder))
    await part("resume", () => resumed(folder))
    await part("scores", () => scored(folder))
  },
}
