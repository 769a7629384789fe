import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { platform } from "node:process"
import { join } from "node:path"
import { AssayError, type EvaluationTargetBody, type HarnessConfig } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { isAlive } from "./harness-attempts.ts"
import { checkHarness } from "./harness-config.ts"
import type { HarnessLogLine, HarnessPorts } from "./harness-ports.ts"
import { runHarness, type HarnessOutcome } from "./run-harness.ts"

interface StartedHarness {
  readonly outcome: HarnessOutcome
  readonly log: readonly HarnessLogLine[]
  /** The lines that are searched for conditions. */
  readonly searched: readonly string[]
  readonly errors: readonly { readonly message: string; readonly evidence: readonly string[] }[]
}

interface HarnessSetup {
  readonly harness?: Partial<HarnessConfig>
  readonly environment?: Partial<HarnessPorts>
  readonly target?: EvaluationTargetBody
  readonly signal?: AbortSignal
  readonly onLine?: (line: string) => void
}

const TARGET: EvaluationTargetBody = {
  type: "model",
  model: { api_endpoint: { url: "http://models.example:8000/v1", model_id: "chat", api_key_secret: "key" } },
}

/** Runs a Node script as the harness, in a separate folder for each test. */
async function startHarness(
  script: string,
  { harness, environment, target = TARGET, signal = new AbortController().signal, onLine }: HarnessSetup = {},
): Promise<StartedHarness> {
  const folder = await mkdtemp(join(tmpdir(), "harness-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, "script.mjs")
  await writeFile(file, script)
  const log: HarnessLogLine[] = []
  const searched: string[] = []
  const errors: { readonly message: string; readonly evidence: readonly string[] }[] = []
  const outcome = await runHarness(
    { target, config: { type: "benchmark", harness: { command: [process.execPath, file], ...harness } } },
    {
      workFolder: folder,
      harnessEnvironment: {},
      now: () => Date.now(),
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      inference: { now: () => Date.now(), random: Math.random, sleep: async () => {} },
      resolveKey: async () => "key-of-target-1234",
      async resolveSecret(reference) {
        if (reference === "hub-token") return "hub-token-value-5678"
        throw new AssayError("secret_not_readable", `Secret '${reference}' is not there; create it.`)
      },
      ...environment,
    },
    {
      signal,
      onLog(line) {
        log.push(line)
        onLine?.(line.message)
      },
      findings: {
        addLogLine: (line) => void searched.push(line),
        addError: (error, { evidence }) => void errors.push({ message: (error as Error).message, evidence }),
      },
    },
  )
  return { outcome, log, searched, errors }
}

const WRITE = `import { writeFileSync } from "node:fs"\n`
const SCORES = `${WRITE}writeFileSync(process.env.ASSAY_RESULTS, '{"gpqa":{"accuracy":{"exact":0.25,"flexible":NaN}}}')\n`

describe("a harness", () => {
  it("runs, and its scores are read", verifies("metric.benchmark"), async () => {
    const { outcome, log, errors } = await startHarness(`${SCORES}console.log("done")`)
    expect(outcome.end).toEqual({ kind: "finished" })
    expect(outcome.scores).toEqual({ gpqa: { accuracy: { exact: 0.25, flexible: "NaN" } } })
    expect(log.map(({ message }) => message)).toContain("done")
    expect(errors).toEqual([])
  })

  it("gets its arguments without a shell, with names of the job filled in", async () => {
    const harness = {
      command: [
        process.execPath,
        "-e",
        "console.log(process.argv.slice(1).join('|'))",
        "{{ target.url }}",
        "$(id); `id`",
        "{{ results }}",
      ],
    }
    const { log } = await startHarness("", { harness })
    expect(log.map(({ message }) => message)).toContain("http://models.example:8000/v1|$(id); `id`|results.json")
  })

  it("sees only the variables that it is given, and its secrets are neither in its arguments nor in its log", async () => {
    const script = `${SCORES}console.log(JSON.stringify(process.env)); console.error(process.env.HF_TOKEN)`
    const { log } = await startHarness(script, {
      harness: { environment: { MODE: "quick" }, secrets: { HF_TOKEN: "hub-token" } },
      environment: { harnessEnvironment: { PATH: "/usr/bin" } },
    })
    const line = log.map(({ message }) => message).find((message) => message.startsWith("{"))
    expect(JSON.parse(line ?? "{}")).toEqual({
      PATH: "/usr/bin",
      MODE: "quick",
      ASSAY_RESULTS: "results.json",
      ASSAY_HARNESS_RUN: expect.stringMatching(/^harness-/),
      ASSAY_TARGET_URL: "http://models.example:8000/v1",
      ASSAY_TARGET_MODEL: "chat",
      ASSAY_TARGET_API_KEY: "***",
      HF_TOKEN: "***",
    })
    expect(JSON.stringify(log)).not.toMatch(/hub-token-value|key-of-target/)
  })

  it("is refused if the operator allows no harnesses", async () => {
    const environment = { harnessEnvironment: undefined } as never
    await expect(startHarness(SCORES, { environment })).rejects.toMatchObject({ code: "harness_not_allowed" })
  })

  it.each([
    [{ command: [] }, "invalid_request", /harness.command/],
    [{ results: "../../elsewhere.json" }, "invalid_request", /harness.results/],
    [{ command: ["x", "{{ target.nope }}"] }, "template_error", /nope/],
    [{ secrets: { A: "missing" } }, "secret_not_readable", /missing/],
  ])("with %j is not started and fails with %s", async (harness, code, message) => {
    await expect(startHarness(SCORES, { harness })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })
})

describe("a harness that fails", () => {
  it("is reported with its exit code and its last lines", async () => {
    const script = `for (let n = 1; n < 9; n++) console.log("line " + n); process.exit(3)`
    const { outcome, errors, searched } = await startHarness(script)
    expect(outcome.end).toMatchObject({
      kind: "failed",
      code: "harness_failed",
      message: expect.stringContaining("exit code 3"),
    })
    expect(errors).toMatchObject([{ evidence: ["line 4", "line 5", "line 6", "line 7", "line 8"] }])
    expect(searched).toHaveLength(8)
  })

  it.each([
    ["nothing", undefined, /succeeded but wrote no 'results.json'/],
    ["a page", "<html>", /is not JSON/],
    ["a metric without scores", '{"a":{"b":0.5}}', /a\.b is not an object; have the command write/],
    ["a word", '{"a":{"b":{"c":"high"}}}', /a\.b\.c is "high", not a number/],
    ["no tasks", "{}", /has no scores in it/],
  ])("to write scores and writes %s instead is reported with the expected form", async (_, text, message) => {
    const script = text === undefined ? "" : `${WRITE}writeFileSync("results.json", ${JSON.stringify(text)})`
    const { outcome } = await startHarness(script)
    expect(outcome.end).toMatchObject({ code: "harness_failed", message: expect.stringMatching(message) })
  })

  it("to write scores does not get the scores of the attempt before", async () => {
    const workFolder = await mkdtemp(join(tmpdir(), "harness-"))
    onTestFinished(() => rm(workFolder, { recursive: true, force: true }))
    const first = await startHarness(SCORES, { environment: { workFolder } })
    const second = await startHarness("", { environment: { workFolder } })
    expect([first.outcome.end.kind, second.outcome.end.kind]).toEqual(["finished", "failed"])
  })

  it("because its program does not exist is reported as not started", async () => {
    const { outcome } = await startHarness("", { harness: { command: ["no-such-program"] } })
    expect(outcome.end).toMatchObject({ message: expect.stringContaining("there is no such program (ENOENT)") })
  })

  it("to end within its time limit is ended", async () => {
    const { outcome } = await startHarness("setInterval(() => {}, 1000)", { harness: { time_limit: 0.3 } })
    expect(outcome.end).toMatchObject({ message: expect.stringContaining("did not end within 0.3 s") })
  })
})

/** Only Linux reports what processes use. */
describe.runIf(platform === "linux")("a harness that uses more than it may", () => {
  const MIB = 1_048_576
  const forEver = "setInterval(() => {}, 1000)\n"
  // Memory is split over child processes, one of which is in another process group.
  const sharing = (work: string) => `import { spawn } from "node:child_process"
    for (const detached of [false, true]) spawn(process.execPath, ["-e", ${JSON.stringify(`${work};setInterval(() => {}, 1000)`)}], { detached, stdio: "inherit" })
    ${forEver}`

  it.each([
    [
      "memory",
      { memory: 400 * MIB },
      sharing("globalThis.kept = Buffer.alloc(250e6, 1)"),
      /used [\d.]+ MiB of memory, and its limit is 400 MiB of memory \(harness\.limits\.memory\)/,
    ],
    [
      "cpu",
      { cpu: 0.5 },
      "for (;;);",
      /s of processor time, and its limit is 0\.5 s of processor time \(harness\.limits\.cpu\)/,
    ],
    [
      "processes",
      { processes: 30 },
      sharing("for (let n = 0; n < 6; n++) require('node:child_process').spawn('/bin/sleep', ['1000'])"),
      /processes and threads, and its limit is 30 processes and threads \(harness\.limits\.processes\)/,
    ],
    [
      "disk",
      { disk: 20 * MIB },
      `${WRITE}for (let n = 0; n < 3; n++) writeFileSync("f" + n, Buffer.alloc(10e6, 1))\n${forEver}`,
      /used [\d.]+ MiB on disk, and its limit is 20 MiB on disk \(harness\.limits\.disk\)/,
    ],
  ] as const)(
    "is ended, and its failure names the limit of %s",
    verifies("harness.limits"),
    async (_, limits, script, message) => {
      const { outcome, errors } = await startHarness(script, { harness: { limits } })
      expect(outcome.end).toMatchObject({ code: "harness_failed", message: expect.stringMatching(message) })
      expect(errors).toMatchObject([{ message: expect.stringMatching(message) }])
    },
  )

  it(
    "is bounded by the operator's limits if its own limits are higher or absent",
    verifies("harness.limits"),
    async () => {
      const environment = { harnessLimits: { cpu: 0.5 } }
      for (const limits of [undefined, { cpu: 1000 }]) {
        const harness = limits === undefined ? {} : { limits }
        const { outcome } = await startHarness("for (;;);", { harness, environment })
        expect(outcome.end).toMatchObject({ message: expect.stringContaining("its limit is 0.5 s of processor time") })
      }
    },
  )

  it("is not ended below its limits", verifies("harness.limits"), async () => {
    const limits = { memory: 2000 * MIB, cpu: 60, processes: 500, disk: 100 * MIB }
    const { outcome } = await startHarness(`${SCORES}setTimeout(() => {}, 1500)`, { harness: { limits } })
    expect(outcome.end).toEqual({ kind: "finished" })
  })
})

it("harness limits above those of the operator are refused at the launch", verifies("harness.limits"), () => {
  const job = {
    target: TARGET,
    config: { type: "benchmark" as const, harness: { command: ["x"] as [string], limits: { memory: 2 ** 40 } } },
  }
  const environment = { harnessEnvironment: {}, harnessLimits: { memory: 2 ** 30 } }
  expect(() => checkHarness(job, environment)).toThrow(
    "config.harness.limits.memory: 1 TiB of memory is more than a harness may use here (1 GiB of memory); lower it, or ask the operator to raise ASSAY_HARNESS_LIMITS.",
  )
  expect(() => checkHarness(job, { harnessEnvironment: {} })).not.toThrow()
})

it(
  "a harness is ended together with processes that left its group and hold its output, also at its time limit",
  verifies("harness.attempts"),
  async () => {
    const left = "process.on('SIGTERM', () => {}); console.log('pid ' + process.pid); setInterval(() => {}, 1000)"
    const script = `import { spawn } from "node:child_process"
    spawn(process.execPath, ["-e", ${JSON.stringify(left)}], { detached: true, stdio: "inherit" })
    setInterval(() => {}, 1000)`
    let pid = 0
    const onLine = (line: string) => {
      pid ||= Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0)
    }
    const { outcome } = await startHarness(script, { harness: { time_limit: 3 }, onLine })
    expect(outcome.end).toMatchObject({ message: expect.stringContaining("did not end within 3 s") })
    expect(pid).toBeGreaterThan(0)
    expect(await isAlive(pid)).toBe(false)
  },
)

it("a harness is ended with every process that it started when the job is cancelled", async () => {
  const listen = `require("node:net").createServer().listen(0, "127.0.0.1", function () { console.log("port " + this.address().port) })`
  const script = `import { spawn } from "node:child_process"
    spawn(process.execPath, ["-e", ${JSON.stringify(listen)}], { stdio: "inherit" })
    setInterval(() => {}, 1000)`
  const cancelling = new AbortController()
  let port = 0
  const onLine = (line: string) => {
    port = Number(/^port (\d+)$/.exec(line)?.[1] ?? 0)
    if (port > 0) cancelling.abort()
  }
  const { outcome } = await startHarness(script, { signal: cancelling.signal, onLine })
  expect(outcome.end).toEqual({ kind: "aborted" })
  await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow("ECONNREFUSED")
})
