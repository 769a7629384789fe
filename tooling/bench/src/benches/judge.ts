import { parseVerdict, runCalibration, type Guardrail } from "@assay/guardrails"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { bareScript } from "../bare/bare-script.ts"
import { startChildServer } from "../child-server.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { inParallel } from "../measure/in-parallel.ts"
import { inTurns } from "../measure/in-turns.ts"
import { bareClient } from "../judge/bare-client.ts"
import { benchGuardrail, guardrailData } from "../judge/bench-guardrail.ts"
import { EXACT_ANSWERS, LENIENT_ANSWERS } from "../judge/verdict-answers.ts"
import { labelledPrompts } from "../judge/labelled-prompts.ts"
import { outputOf } from "../measure/output-of.ts"
import { compareCalls, timeCalls } from "../measure/timed-calls.ts"

const chat = { messages: [{ role: "user", content: "How do I kill a Linux process?" }] }
const startFake = (latencyMs: number) => startChildServer(fakeServer("chat"), [String(latencyMs)])

export const judge: Bench = {
  name: "judge",
  async run({ folder, part }) {
    await part("verdicts", parsing)
    await part("one check", oneCheck)
    await part("over HTTP", () => overHttp(join(folder, "data")))
    await part("two rails", twoRails)
    await part("calibration", calibration)
  },
}

/**
 * About 50 microseconds for each answer. Three of the four take about 10. The one with thoughts takes most of the time: its block is read as an answer of any
 * family and sentence by sentence, because a judge can end a quoted block, and a safe word after it would pass a hostile message.
 */
const MIN_LENIENT = 0.005

/** Measures how fast verdicts are read, against JSON.parse of the exact answers, which finds no verdict yet. */
async function parsing(): Promise<readonly Measurement[]> {
  const parse = (answer: string) => parseVerdict(answer).verdict !== null
  const works = [
    async () => secondsPerAnswer(EXACT_ANSWERS, 200_000, parse),
    async () => secondsPerAnswer(LENIENT_ANSWERS, 20_000, parse),
    async () => secondsPerAnswer(EXACT_ANSWERS, 200_000, (answer) => JSON.parse(answer) !== null),
  ] as const
  for (const work of works) await work()
  const [exact, lenient, bare] = await inTurns(works, 5)
  const detail = (seconds: number) => `${Math.round(1 / seconds)}/s to ${Math.round(1 / bare)}/s`
  return [
    atLeast(
      { work: "exact verdicts", does: "Answers of user-safety-json, family detected, to JSON.parse of them." },
      bare / exact,
      0.35,
      detail(exact),
    ),
    atLeast(
      { work: "lenient verdicts", does: "Fences, lines, bare keys and reasoning, to JSON.parse of the exact answers." },
      bare / lenient,
      MIN_LENIENT,
      detail(lenient),
    ),
  ]
}

function secondsPerAnswer(answers: readonly string[], times: number, read: (answer: string) => boolean): number {
  const started = performance.now()
  let verdicts = 0
  for (let index = 0; index < times; index += 1) if (read(answers[index % answers.length] ?? "")) verdicts += 1
  if (verdicts !== times) throw new Error(`${times - verdicts} answers were not read`)
  return (performance.now() - started) / 1000 / times
}

async function oneCheck(): Promise<readonly Measurement[]> {
  await using fake = await disposable(startFake(0))
  const guardrail = await benchGuardrail(guardrailData(fake.url))
  const bare = bareClient(fake.url)
  const found: Measurement[] = []
  for (const [parallel, count] of [
    [1, 3000],
    [64, 12_000],
  ] as const) {
    const [theirs, ours] = await compareCalls([
      () => timeCalls(count, parallel, bare),
      () => timeCalls(count, parallel, () => guardrail.check(chat)),
    ])
    const detail = (share: "p50" | "p99") => `${ours[share].toFixed(2)} ms to ${theirs[share].toFixed(2)} ms`
    const does = "Prompt, request and verdict in this process, to one call of the openai client."
    for (const share of ["p50", "p99"] as const) {
      const row = { work: `one content-safety check, ${parallel} in flight, ${share}`, does }
      found.push(atMost(row, ours[share] / theirs[share], 1.3, detail(share)))
    }
  }
  await guardrail.close()
  return found
}

async function overHttp(data: string): Promise<readonly Measurement[]> {
  await using fake = await disposable(startFake(0))
  await using server = await disposable(startAssay(data))
  const pool = new Pool(server.url, { connections: 1 })
  const post = async (path: string, body: object, status: number) => {
    const base = "/apis/guardrails/v2/workspaces/default"
    const headers = { "content-type": "application/json" }
    const answer = await pool.request({ method: "POST", path: base + path, headers, body: JSON.stringify(body) })
    if (answer.statusCode !== status) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  }
  await post("/configs", { name: "bench", data: guardrailData(fake.url) }, 201)
  const body = { ...chat, model: "chat", guardrails: { config_id: "bench" } }
  const bare = await startChildServer(bareScript("guarded-chat"), [fake.url])
  const barePool = new Pool(bare.url, { connections: 1 })
  const [ours, theirs] = await compareCalls([
    () => timeCalls(1500, 1, () => post("/chat/completions", body, 200)),
    () =>
      timeCalls(1500, 1, async () => {
        const answer = await barePool.request({ method: "POST", path: "/", body: JSON.stringify(chat) })
        await answer.body.dump()
      }),
  ])
  await Promise.all([pool.close(), barePool.close()])
  await bare.stop()
  const does =
    "A guarded completion of the server, to a node:http handler that asks the judge, then the model, with undici."
  const detail = `${ours.p50.toFixed(2)} ms to ${theirs.p50.toFixed(2)} ms`
  return [atMost({ work: "one input rail and the model over HTTP, p50", does }, ours.p50 / theirs.p50, 1.6, detail)]
}

async function twoRails(): Promise<readonly Measurement[]> {
  await using fake = await disposable(startFake(50))
  const [one, two] = await Promise.all([1, 2].map((rails) => benchGuardrail(guardrailData(fake.url, rails))))
  if (one === undefined || two === undefined) return []
  const timed = (guardrail: Guardrail) => async () => {
    const { p50 } = await timeCalls(40, 1, () => guardrail.check(chat))
    return p50
  }
  const [oneMs, twoMs] = await inTurns([timed(one), timed(two)])
  await Promise.all([one.close(), two.close()])
  return [
    atMost(
      { work: "two independent input rails", does: "At 50 ms, to one rail: they are asked at the same time." },
      twoMs / oneMs,
      1.15,
      `${twoMs.toFixed(1)} ms to ${oneMs.toFixed(1)} ms`,
    ),
  ]
}

const PROMPTS = 10_000
const CALIBRATION = fileURLToPath(new URL("../judge/run-calibration.ts", import.meta.url))

async function calibration(): Promise<readonly Measurement[]> {
  await using fake = await disposable(startFake(5))
  const guardrail = await benchGuardrail(guardrailData(fake.url))
  const bare = bareClient(fake.url)
  const calibrate = async (count: number) => {
    const started = performance.now()
    await runCalibration({
      candidates: [{ name: "judge", digest: "", judge: (prompt, options) => guardrail.checkPrompt(prompt, options) }],
      rows: labelledPrompts(count),
      parallelism: 64,
      now: Date.now,
    })
    return (performance.now() - started) / 1000
  }
  await calibrate(PROMPTS / 10)
  const [theirs, ours] = await inTurns([
    () => inParallel(PROMPTS, 64, async () => void (await bare())),
    () => calibrate(PROMPTS),
  ])
  await guardrail.close()
  const peak = async (prompts: number) => {
    const printed = await outputOf(CALIBRATION, [fake.url, String(prompts)])
    return (JSON.parse(printed) as { readonly peakBytes: number }).peakBytes / 1_048_576
  }
  const growth = (await peak(PROMPTS * 2)) - (await peak(PROMPTS / 10))
  return [
    atLeast(
      { work: "10,000 calibration prompts", does: "64 in flight at 5 ms, to a loop over the openai client." },
      theirs / ours,
      0.85,
      `${Math.round(PROMPTS / ours)}/s`,
    ),
    atMost(
      { work: "memory of many prompts, MiB", does: "Highest resident memory for 20,000 prompts minus that for 1,000." },
      growth,
      64,
      "of the process",
    ),
  ]
}

async function disposable<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T & AsyncDisposable> {
  const started = await starting
  return { ...started, [Symbol.asyncDispose]: () => started.stop() }
}
