import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createFakeModels, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { runCommand, type RunOptions } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

const KEY = "sk-only-in-the-environment"
let model: FakeInference
let folder: TemporaryFolder
beforeAll(async () => {
  const models = { ...createFakeModels(), silent: () => ({ content: "" }) }
  model = await startFakeInference({ key: KEY, models })
})
afterAll(() => model.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  model.faults.clear()
  return () => folder[Symbol.dispose]()
})

function write(
  rows: number,
  over: { readonly metric?: string; readonly model?: string; readonly params?: string } = {},
) {
  const lines = Array.from({ length: rows }, (_, row) => `word ${row},${row % 4 === 0 ? "other" : `word ${row}`}`)
  folder.write("rows.csv", ["said,label", ...lines, ""].join("\n"))
  folder.write(
    "eval.yaml",
    `
target: {type: model, model: {api_endpoint: {url: "${model.url}/v1", model_id: ${over.model ?? "echo"}, api_key_env: MODEL_KEY}}}
config:
  type: custom
  name: echoes
  params: {${over.params ?? "max_retries: 0"}}
  tasks:
    say:
      type: chat-completion
      dataset: {files_url: ./rows.csv}
      params: {template: {messages: [{role: user, content: "{{ item.said }}"}]}}
      metrics: {same: {type: ${over.metric ?? "string-check"}, params: {check: ["{{ sample.output_text }}", equals, "{{ item.label }}"]}}}
`,
  )
}

const run = (words: readonly string[], options: RunOptions = {}) =>
  runCommand(["eval", "run", "eval.yaml", ...words], { cwd: folder.path, env: { MODEL_KEY: KEY }, ...options })
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")
const runs = () => readdirSync(join(folder.path, ".assay-eval")).filter((name) => name !== ".gitignore")
const asked = () => model.requests.filter(({ chat }) => String(chat?.messages[0]?.content).startsWith("word ")).length

describe("assay eval run without a server", () => {
  it(
    "asks, scores, prints intervals and writes results, with the key from the environment",
    verifies("cli.eval.run"),
    async () => {
      write(20)
      const { exitCode, stdout, stderr } = await run(["--limit", "8", "--out", "out"])
      expect([exitCode, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(/^echoes: COMPLETED, 8 rows in /)
      expect(stdout).toMatch(/say\.same\.string-check +0\.75 +0\.4\d* to 0\.9\d* +8 +0 +0 +0\n/)
      expect(stdout).toContain("report: ./out/results/report.html")
      const results = JSON.parse(read("out/results/results.json")) as { tasks: Record<string, unknown> }
      expect(results.tasks).toHaveProperty("say.metrics.same.scores.string-check.value", 0.75)
      const pins = JSON.parse(read("out/config/pins.json")) as { files_url: string; files: { sha256: string }[] }[]
      expect(pins).toMatchObject([
        { files_url: "./rows.csv", files: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
      ])
      const files = readdirSync(join(folder.path, "out"), { recursive: true, withFileTypes: true })
      for (const file of files.filter((one) => one.isFile())) {
        expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain(KEY)
      }
    },
  )

  it(
    "ends with exit code 3 if all answers are empty",
    verifies("condition.empty-answers", "results.not-green"),
    async () => {
      write(20, { model: "silent" })
      const { exitCode, stdout } = await run(["--out", "out", "--junit", "j.xml", "--skip-checks"])
      expect(exitCode).toBe(3)
      expect(stdout).toMatch(/^INCONCLUSIVE: echoes, COMPLETED with 1 condition open, 20 rows in /)
      expect(stdout).toContain("empty_answers: Answers are empty (20 times)")
      expect(read("j.xml")).toMatch(/name="empty_answers">\s*<failure/)
      expect(read("out/results/report.html")).toContain('class="card answer INCONCLUSIVE"')
    },
  )

  it("reports all failed launch checks at once, and asks no model", verifies("cli.eval.run"), async () => {
    write(2, { metric: "stringcheck", model: "no-such-model" })
    folder.write("eval.yaml", read("eval.yaml").replace("./rows.csv", "./row.csv"))
    const before = asked()
    const { exitCode, stdout, stderr } = await run([])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^error: Job cannot be launched: 3 checks failed\./)
    expect(stderr).toMatch(/did you mean 'string-check'[^]*near it: 'rows\.csv'[^]*no-such-model/)
    const told = JSON.parse((await run(["--json"])).stderr) as { error: { failed_checks: { code: string }[] } }
    const codes = told.error.failed_checks.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(["dataset_missing", "model_not_found"]))
    expect(asked()).toBe(before)
    expect(existsSync(join(folder.path, ".assay-eval"))).toBe(false)
  })

  it("names the empty variable of a key, and skips the checks with --skip-checks", async () => {
    write(2)
    const { stderr } = await run([], { env: {} })
    expect(stderr).toMatch(
      /The model can't be asked \([^)]*\): [^]*the variable MODEL_KEY, which is not set\.\n    → Set MODEL_KEY to the key/,
    )
    const skipped = await run(["--skip-checks"], { env: { MODEL_KEY: "sk-wrong" } })
    expect(skipped.exitCode).toBe(1)
    expect(skipped.stdout).toMatch(/^echoes: FAILED[^]*inference_unauthorized[^]*→ /)
    expect(skipped.stdout + skipped.stderr).not.toContain("sk-wrong")
  })

  it(
    "compares gates with intervals, sets the exit code to 0, 3 or 1, and writes JUnit XML",
    verifies("cli.eval.gates", "cli.exit.inconclusive"),
    async () => {
      write(40)
      const gate = (limit: string) => run(["--gate", `say.same.string-check>=${limit}`, "--junit", "junit.xml"])
      const passed = await gate("0.5")
      const open = await gate("0.75")
      const failed = await gate("0.95")
      expect([passed.exitCode, open.exitCode, failed.exitCode]).toEqual([0, 3, 1])
      expect(failed.stdout).toMatch(/say\.same\.string-check >= 0\.95 +0\.75 +0\.5\d+ to 0\.8\d+ +FAIL\n/)
      expect(read("junit.xml")).toContain("<failure")
      const before = asked()
      const short = await run(["--gate", "say.same>=0.99"])
      expect([short.exitCode, short.stdout]).toEqual([
        1,
        expect.stringMatching(/say\.same\.string-check >= 0\.99 .* FAIL\n/),
      ])
      expect(asked()).toBeGreaterThan(before)
      const afterwards = asked()
      const { exitCode, stderr } = await run(["--gate", "say.sama.string-check>=0.5"])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Its scores are same. Did you mean")])
      expect(asked()).toBe(afterwards)
    },
  )

  it("ends as soon as all gates are decided with --stop-early", async () => {
    write(400)
    const before = asked()
    const { exitCode, stdout } = await run(["--gate", "say.same.string-check>=0.5", "--stop-early"])
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/\nPASS after \d+ of 400 rows; \d\d\.\d % of the calls saved\.\n/),
    ])
    expect(stdout).toMatch(/say\.same\.string-check >= 0\.5 +\S+ +0\.[5-9]\d* to \S+ +PASS\n/)
    expect(asked() - before).toBeLessThan(200)
    // A gate of the file that is not early keeps the task from its end, and is named.
    write(40, { params: 'max_retries: 0, gates: [{task: say, metric: same, op: ">=", value: 0.1}]' })
    const kept = await run(["--gate", "say.same>=0.5", "--stop-early"])
    expect(kept.stdout).toContain(
      'All rows were asked: the gate \'say.same.string-check >= 0.1\' has no "stop": "early".',
    )
    const none = await run(["--stop-early"])
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("--stop-early is for gates in one line")])
  })

  it("ends as soon as a gate against results in a folder is decided", async () => {
    write(400)
    expect((await run(["--out", "before"])).exitCode).toBe(0)
    const gate = (against: string) =>
      `gates: [{task: say, metric: same, against: ${against}, margin: 0.1, stop: early}]`
    write(400, { params: `max_retries: 0, ${gate("./before")}` })
    const before = asked()
    const { exitCode, stdout } = await run([])
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/say\.same\.string-check gain over \.\/before >= -0\.1 +0 +\S+ to \S+ +PASS\n/),
    ])
    expect(asked() - before).toBeLessThan(300)
    write(400, { params: `max_retries: 0, ${gate("./lost")}` })
    const lost = await run([])
    expect([lost.exitCode, lost.stderr]).toEqual([2, expect.stringContaining("'./lost' does not contain results")])
    const both = await run(["--against", "./before", "--stop-early", "--gate", "say.same.string-check>=0.5"])
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("write a gate with `against`")])
  })

  it(
    "resumes after Ctrl-C without asking an answered row again",
    verifies("cli.eval.run", "cli.exit.interrupted"),
    async () => {
      write(30)
      const stop = new AbortController()
      const before = asked()
      model.faults.add({
        fault: { kind: "hang" },
        when: ({ chat }) => {
          const isEnd = String(chat?.messages[0]?.content) === "word 20"
          if (isEnd) stop.abort(new DOMException("Ctrl-C", "AbortError"))
          return isEnd
        },
      })
      const cut = await run(["--parallel", "1"], { signal: stop.signal })
      expect([cut.exitCode, cut.stdout]).toEqual([130, ""])
      expect(cut.stderr).toMatch(/20 of 30 rows are answered and kept in \.\/\.assay-eval\/echoes-\d{8}-\d{6}\n/)
      model.faults.clear()
      const other = await run(["--parallel", "1", "--limit", "2"])
      expect(other.stderr).toMatch(
        /a new run, because (\S+), which was interrupted, has other options: `assay eval resume \1` continues it\n/,
      )
      expect(runs()).toHaveLength(2)
      const { exitCode, stdout, stderr } = await run(["--parallel", "1"])
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("resuming ")])
      expect(stdout).toContain("COMPLETED, 30 rows")
      // The interrupted request was sent twice.
      expect(asked() - before).toBe(33)
      expect(runs()).toHaveLength(2)
      await run(["--parallel", "1"])
      expect(runs()).toHaveLength(3)
    },
  )

  it("retry-failed asks again only about failed rows", verifies("cli.eval"), async () => {
    write(12, { params: "max_retries: 0, max_failed_share: 0.5" })
    const when: Parameters<FakeInference["faults"]["add"]>[0]["when"] = ({ chat }) =>
      /^word (3|7)$/.test(String(chat?.messages[0]?.content))
    model.faults.add({ fault: { kind: "answer", status: 500, body: "no" }, when })
    const first = await run(["--out", "out"])
    expect(first.stdout).toMatch(/say\.same\.string-check +0\.7\*? .* 10 +0 +2 +0\n/)
    model.faults.clear()
    const failing = await runCommand(["eval", "resume", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
    expect(failing.stderr).toMatch(/has nothing to resume[^]*\n {4}assay eval retry-failed \.\/out\n/u)
    const before = asked()
    const again = await runCommand(["eval", "retry-failed", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
    expect([again.exitCode, asked() - before]).toEqual([0, 2])
    expect(again.stdout).toMatch(/say\.same\.string-check +0\.75 .* 12 +0 +0 +0\n/)
    const nothing = await runCommand(["eval", "resume", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      2,
      expect.stringMatching(
        /has nothing to resume: .*, and none failed\.[^]*assay eval rescore \.\/out --with \S+eval\.yaml --out FOLDER/u,
      ),
    ])
    folder.write("rows.csv", "said,label\na,a\n")
    const changed = await runCommand(["eval", "resume", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
    expect([changed.exitCode, changed.stderr]).toEqual([2, expect.stringContaining("have changed since it was run")])
  })

  it(
    "resume of a run that failed asks its failed rows again and the remaining ones",
    verifies("cli.eval"),
    async () => {
      write(12, { params: "parallelism: 1, max_retries: 0, max_failed_share: 0" })
      model.faults.add({ fault: { kind: "answer", status: 400, body: "no" } })
      const before = asked()
      const first = await run(["--out", "out", "--skip-checks", "--gate", "same>=0.99"])
      expect([first.exitCode, asked() - before < 12]).toEqual([1, true])
      model.faults.clear()
      const again = await runCommand(["eval", "resume", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
      expect(again.stdout).toMatch(/say\.same\.string-check +0\.75 .* 12 +0 +0 +0\n/)
      // The gate of the first command still decides.
      expect([again.exitCode, again.stdout]).toEqual([1, expect.stringMatching(/>= 0\.99 .* FAIL\n/u)])
    },
  )

  it(
    "resume of an interrupted run asks its failed rows again and the remaining ones",
    verifies("cli.eval"),
    async () => {
      write(12, { params: "parallelism: 1, max_retries: 0, max_failed_share: 0.5" })
      const stop = new AbortController()
      const contentOf = ({ chat }: FakeInference["requests"][number]) => String(chat?.messages[0]?.content)
      model.faults.add({
        fault: { kind: "answer", status: 500, body: "no" },
        when: (request) => {
          if (contentOf(request) === "word 5") stop.abort(new DOMException("Ctrl-C", "AbortError"))
          return /^word [345]$/.test(contentOf(request))
        },
      })
      const cut = await run(["--out", "out"], { signal: stop.signal })
      expect(cut.exitCode).toBe(130)
      model.faults.clear()
      const before = model.requests.length
      const again = await runCommand(["eval", "resume", "./out"], { cwd: folder.path, env: { MODEL_KEY: KEY } })
      expect(again.stdout).toMatch(/say\.same\.string-check +0\.75 .* 12 +0 +0 +0\n/)
      const words = model.requests.slice(before).map(contentOf)
      expect(words.slice(0, 3)).toEqual(["word 3", "word 4", "word 5"])
      expect(words).toHaveLength(9)
    },
  )

  it("with --watch runs again when rows change, until Ctrl-C", verifies("cli.eval.run"), async () => {
    write(4)
    const stop = new AbortController()
    const running = run(["--watch", "--out", "out"], { signal: stop.signal })
    const before = asked()
    const until = async (rows: number) => {
      const results = join(folder.path, "out/results/results.json")
      await vi.waitUntil(() => asked() - before >= rows && existsSync(results), { timeout: 15_000, interval: 20 })
    }
    await until(4)
    folder.write("rows.csv", "said,label\nword x,word x\n")
    await until(5)
    stop.abort()
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(130)
    expect(stdout).toMatch(/COMPLETED, 4 rows/)
  })
})
