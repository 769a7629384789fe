import { parseVerdict, runCalibration, type Guardrail } from "@assay/guardrails"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { inParallel } from "../in-parallel.ts"
import { inTurns } from "../in-turns.ts"
import { bareClient } from "../judge/bare-client.ts"
import { benchGuardrail, guardrailData } from "../judge/bench-guardrail.ts"
import { EXACT_ANSWERS, LENIENT_ANSWERS } from "../judge/verdict-answers.ts"
import { labelledPrompts } from "../judge/labelled-prompts.ts"
import { outputOf } from "../output-of.ts"
import { compareCalls, timeCalls } from "../timed-calls.ts"

const chat = { messages: [{ role: "user", content: "How do I kill a Linux process?" }] }
const startFake = (latencyMs: number) => startChildServer(fakeServer("chat"), [String(latencyMs)])

export const judge: Bench = {
  name: "judge",
  async run({ folder }) {
    return [
      ...parsing(),
      ...(await oneCheck()),
      ...(await overHttp(join(folder, "data"))),
      ...(await twoRails()),
      ...(await calibration()),
    ]
  },
}

function parsing(): readonly Measurement[] {
  const exact = verdictsPerSecond(EXACT_ANSWERS, 2_000_000)
  const lenient = verdictsPerSecond(LENIENT_ANSWERS, 300_000)
  return [
    atLeast("exact verdicts read a second", exact, 800_000, "user-safety-json, family detected"),
    atLeast("lenient verdicts read a second", lenient, 100_000, "fences, lines, bare keys, reasoning"),
  ]
}

function verdictsPerSecond(answers: readonly string[], count: number): number {
  const read = (times: number) => {
    let verdicts = 0
    for (let index = 0; index < times; index += 1) {
      if (parseVerdict(answers[index % answers.length] ?? "").verdict !== null) verdicts += 1
    }
    if (verdicts !== times) throw new Error(`${times - verdicts} answers were not read`)
  }
  read(count / 10)
  const started = performance.now()
  read(count)
  return count / ((performance.now() - started) / 1000)
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
    if (theirs === undefined || ours === undefined) continue
    const detail = (share: "p50" | "p99") => `${ours[share].toFixed(2)} ms to ${theirs[share].toFixed(2)} ms`
    const work = `one content-safety check, ${parallel} in flight, to the bare openai client`
    found.push(atMost(`${work}, p50`, ours.p50 / theirs.p50, 1.3, detail("p50")))
    found.push(atMost(`${work}, p99`, ours.p99 / theirs.p99, 1.3, detail("p99")))
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
  const { p50, p99 } = await timeCalls(3000, 1, () => post("/chat/completions", body, 200))
  await pool.close()
  return [
    atMost("ms for one input rail and the model over HTTP, 0 ms endpoint, p50", p50, 1.1, `p99 ${p99.toFixed(2)} ms`),
  ]
}

async function twoRails(): Promise<readonly Measurement[]> {
  await using fake = await disposable(startFake(50))
  const [one, two] = await Promise.all([1, 2].map((rails) => benchGuardrail(guardrailData(fake.url, rails))))
  if (one === undefined || two === undefined) return []
  const timed = (guardrail: Guardrail) => async () => {
    const { p50 } = await timeCalls(40, 1, () => guardrail.check(chat))
    return p50
  }
  const [oneMs = 0, twoMs = 0] = await inTurns([timed(one), timed(two)])
  await Promise.all([one.close(), two.close()])
  return [
    atMost(
      "two independent input rails at 50 ms, to one",
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
  const [theirs = 0, ours = 0] = await inTurns([
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
      "10,000 calibration prompts, 64 in flight, 5 ms, to a bare loop",
      theirs / ours,
      0.85,
      `${Math.round(PROMPTS / ours)}/s`,
    ),
    atMost("MiB more for 20,000 prompts than for 1,000", growth, 64, "highest resident memory of the process"),
  ]
}

async function disposable<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T & AsyncDisposable> {
  const started = await starting
  return { ...started, [Symbol.asyncDispose]: () => started.stop() }
}
