import { execFile, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFakeInference, verifies } from "@assay/testkit"
import { afterAll, describe, expect, it } from "vitest"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"
import { writeCommand } from "../../testing/write-command.ts"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))
const SCRIPT = join(root, "deploy/ci/run-evaluation.sh")

const folder = makeTemporaryFolder()
const ASSAY = writeCommand(folder.path)
afterAll(() => folder[Symbol.dispose]())
const model = await startFakeInference({ key: "sk-100%" })
afterAll(() => model.close())
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

/** Writes an evaluation of stored answers, every fourth of which is wrong. */
function write(name: string): void {
  const rows = Array.from({ length: 40 }, (_, row) => ({ said: `${row}`, response: row % 4 === 0 ? "no" : `${row}` }))
  const check = ["{{ sample.output_text }}", "equals", "{{ item.said }}"]
  const tasks = { say: { type: "chat-completion", metrics: { same: { type: "string-check", params: { check } } } } }
  folder.write(name, JSON.stringify({ target: { type: "rows", rows }, config: { type: "custom", tasks } }))
}

type Variables = Readonly<Record<string, string>>
const environment = (more: Variables) => ({ PATH: process.env["PATH"], HOME: folder.path, ASSAY, ...more })

function sh(
  script: string,
  env: Variables,
  ...words: string[]
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile("sh", [script, ...words], { cwd: folder.path, env: environment(env) }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

describe("the script that runs an evaluation in CI", () => {
  it(
    "exits as the gates say, and writes outputs, JUnit, results and the summary of the step",
    verifies("cli.ci.script"),
    async () => {
      write("eval.json")
      folder.write("step.md", "# before\n")
      const github = {
        GITHUB_ACTIONS: "true",
        GITHUB_OUTPUT: join(folder.path, "o.txt"),
        GITHUB_STEP_SUMMARY: join(folder.path, "step.md"),
      }
      const gates = "say.same>=0.5\n\n  say.same<=0.99  \n"
      const passed = await sh(SCRIPT, { ...github, ASSAY_CI_FILE: "eval.json", ASSAY_CI_GATES: gates, ASSAY_URL: "" })
      expect([passed.code, passed.stderr]).toEqual([0, ""])
      expect(read("o.txt")).toBe("verdict=PASS\nexit-code=0\n")
      expect(read("step.md")).toMatch(/^# before\n\n## ✅ PASS: [^]*- All 2 gates pass\./)
      expect(read("assay-ci/junit.xml")).toContain("say.same.string-check")
      expect(existsSync(join(folder.path, "assay-ci/run/results/results.json"))).toBe(true)
      // GitHub must not run the output of the evaluation as commands.
      const [, stop] = /^::stop-commands::(assay-[0-9a-f]{32})\n/.exec(passed.stdout) ?? []
      expect(passed.stdout.endsWith(`\n::${stop}::\n`)).toBe(true)
    },
  )

  it(
    "fails with 1 for a broken gate, and with 3 for an undecided one unless that passes",
    verifies("cli.ci.script"),
    async () => {
      write("-eval.json")
      const gate = (out: string, limit: string, more: Variables = {}) => {
        const gates = `say.same>=${limit}`
        return sh(SCRIPT, { ASSAY_CI_FILE: "-eval.json", ASSAY_CI_GATES: gates, ASSAY_CI_OUT: out, ...more })
      }
      const [failed, open, passing] = await Promise.all([
        gate("failed", "0.95"),
        gate("open", "0.75"),
        gate("passing", "0.75", { ASSAY_CI_INCONCLUSIVE: "pass" }),
      ])
      expect([failed.code, open.code, passing.code]).toEqual([1, 3, 0])
      expect(read("open/summary.md")).toMatch(/^## ⚠️ INCONCLUSIVE/)
    },
  )

  it(
    "takes every value as text, and refuses wrong ones with the name of the input",
    verifies("cli.ci.script"),
    async () => {
      write("eval.json")
      const hostile = 'say.same>=0.5"; touch hacked; $(touch hacked) `touch hacked`'
      const gate = await sh(SCRIPT, { ASSAY_CI_FILE: "eval.json", ASSAY_CI_GATES: hostile, ASSAY_CI_OUT: "a b" })
      expect([gate.code, gate.stderr]).toEqual([2, expect.stringContaining("touch hacked")])
      expect(read("a b/summary.md")).toMatch(/^## ❌ ERROR/)
      const variable = await sh(SCRIPT, {
        ASSAY_CI_FILE: "eval.json",
        ASSAY_CI_KEY: "k",
        ASSAY_CI_KEY_VARIABLE: "A=$(touch hacked)",
      })
      expect([variable.code, variable.stderr]).toEqual([2, expect.stringContaining("'model-key-variable'")])
      expect(existsSync(join(folder.path, "hacked"))).toBe(false)
      expect((await sh(SCRIPT, {})).stderr).toContain("'file'")
      expect((await sh(SCRIPT, { ASSAY_CI_FILE: "e", ASSAY_CI_INCONCLUSIVE: "maybe" })).stderr).toContain("'maybe'")
    },
  )

  it(
    "gives the model its key, masks secrets, and continues a run that a signal ended",
    verifies("cli.ci.script"),
    async () => {
      const endpoint = { url: `${model.url}/v1`, model_id: "echo", api_key_env: "THE_KEY" }
      const rows = Array.from({ length: 12 }, (_, row) => ({ said: `word ${row}` }))
      folder.write("rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
      folder.write(
        "model.json",
        JSON.stringify({
          target: { type: "model", model: { api_endpoint: endpoint } },
          config: {
            type: "custom",
            params: { parallelism: 1, max_retries: 0 },
            tasks: {
              say: {
                type: "chat-completion",
                dataset: { files_url: "./rows.jsonl" },
                params: { template: { messages: [{ role: "user", content: "{{ item.said }}" }] } },
                metrics: { same: { type: "exact-match", params: { reference: "{{ item.said }}" } } },
              },
            },
          },
        }),
      )
      const variables = {
        ASSAY_CI_FILE: "model.json",
        ASSAY_CI_KEY_VARIABLE: "THE_KEY",
        ASSAY_CI_OUT: "model",
        ASSAY_TOKEN: "assay-token",
      }
      const reached = Promise.withResolvers<undefined>()
      const isHeld = (request: (typeof model.requests)[number]) => {
        if (request.chat?.messages[0]?.content !== "word 5") return false
        reached.resolve(undefined)
        return true
      }
      model.faults.add({ fault: { kind: "hang" }, when: isHeld })
      const env = environment({ ...variables, ASSAY_CI_KEY: "sk-100%" })
      const child = spawn("sh", [SCRIPT], { cwd: folder.path, env })
      await reached.promise
      child.kill("SIGTERM")
      expect((await once(child, "exit"))[0]).toBeGreaterThan(3)
      model.faults.clear()
      const asked = model.requests.length
      const resumed = await sh(SCRIPT, { ...variables, ASSAY_CI_KEY: "sk-100%", GITHUB_ACTIONS: "true" })
      expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("resuming ./model/run")])
      expect(resumed.stdout).toMatch(/^::add-mask::assay-token\n::add-mask::sk-100%25\n::stop-commands::/)
      expect(model.requests.length - asked).toBeLessThan(8)
    },
  )
})

describe("the hook that checks evaluation files", () => {
  it("passes right files and fails for a wrong one, whose name it says", verifies("cli.ci.hook"), async () => {
    write("right.json")
    folder.write("wrong.json", '{"target": {}}')
    const script = join(root, "deploy/ci/check-evaluations.sh")
    const [right, both] = await Promise.all([sh(script, {}, "right.json"), sh(script, {}, "wrong.json", "right.json")])
    expect(right.code).toBe(0)
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining("wrong.json")])
  })
})
