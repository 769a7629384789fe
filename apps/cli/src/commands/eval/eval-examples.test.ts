import { spawnSync } from "node:child_process"
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const EXAMPLES = fileURLToPath(new URL("../../../../../examples/evaluation", import.meta.url))
/** The address of `npm run fake-endpoint`. */
const ADDRESS = "http://127.0.0.1:9000"

/** A score of each example with the models of the fake endpoint, and how many rows it covers if not all 20. */
const SCORES: Readonly<Record<string, readonly [score: string, value: number, scored?: number]>> = {
  "capitals.yaml": ["answers.contains.string-check", 0.85],
  "self-check.yaml": ["answers.string-check.string-check", 0.95],
  "judge.yaml": ["answers.judge.yes", 0.4],
  "llm-judge.yaml": ["answers.judge.harmless", 0.65],
  "conversation.yaml": ["answers.state.state", 0.8],
  "programs.yaml": ["answers.stock.string-check", 1, 2],
  "agent.yaml": ["answers.calls.calls", 1, 3],
  "slices.yaml": ["answers.equals.accuracy", 0.8, 160],
  "multiple-choice.yaml": ["answers.multiple-choice.acc", 0.6],
  "loglikelihood.yaml": ["answers.loglikelihood.acc", 0, 8],
  "ifeval.yaml": ["answers.ifeval.prompt_level_strict_acc", 0.5, 4],
  "rag.yaml": ["answers.faithfulness.faithfulness", 0.5, 3],
  "pairwise.yaml": ["answers.pairwise.pairwise", 0.925],
  "g-eval.yaml": ["answers.g-eval.with_logprobs", 1],
  "tool-turns.yaml": ["answers.tool-call-turns.tool-call-turns", 0.5, 2],
  "code.yaml": ["answers.code-execution.passed", 0.5, 4],
  "calibration.yaml": ["self-check.content_safety.miss", 0.1, 10],
}

/** Its rows are asked in another order each time. */
const EARLY = "early-gate.yaml"
/** They run programs in a sandbox. */
const SANDBOXED: ReadonlySet<string> = new Set(["code.yaml", "programs.yaml", "agent.yaml"])
/** Whether this machine supports namespaces, tested without our code. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0
/** It describes several jobs. */
const SEVERAL = "models.yaml"

let endpoint: FakeInference
const folder = makeTemporaryFolder()
beforeAll(async () => {
  endpoint = await startFakeInference()
  await cp(EXAMPLES, folder.path, { recursive: true })
  await rm(join(folder.path, ".assay-eval"), { recursive: true, force: true })
  for (const name of await readdir(folder.path)) {
    if (!name.endsWith(".yaml")) continue
    const text = await readFile(join(folder.path, name), "utf8")
    await writeFile(join(folder.path, name), text.replaceAll(ADDRESS, endpoint.url))
  }
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

describe("the examples of evaluation", () => {
  it("are all covered by this test", verifies("cli.eval.examples"), async () => {
    const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".yaml"))
    expect(names.toSorted()).toEqual([...Object.keys(SCORES), EARLY, SEVERAL].toSorted())
  })

  it(`${EARLY} asks only as many rows as decide its gate`, async () => {
    const { exitCode, stdout } = await runCommand(["eval", "run", EARLY], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nPASS after \d{2,3} of 600 rows; \d\d\.\d % of the calls saved\.\n/)
  })

  it(`${SEVERAL} runs a job for each model and prompt`, async () => {
    const { exitCode, stdout } = await runCommand(["eval", "run", SEVERAL], { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout.match(/^models-\S+: COMPLETED, 20 rows/gm)).toHaveLength(4)
  })

  it("a replay that finds no answer proposes the run that records it", verifies("run.recording"), async () => {
    const run = ["eval", "run", "conversation.yaml", "--replay-only", "--recording", "no answers"]
    const { exitCode, stdout } = await runCommand(run, { cwd: folder.path })
    expect(exitCode).not.toBe(0)
    expect(stdout).toContain("has no recorded answer")
    expect(stdout).toContain("assay eval run conversation.yaml --recording './no answers'")
    expect(stdout).not.toMatch(/eval (?:retry-failed|resume)/)
    const folderOfRun = /report: (\S+?)\/results\//.exec(stdout)?.[1] ?? ""
    const explained = await runCommand(["eval", "explain", folderOfRun], { cwd: folder.path })
    expect(explained.stdout).toContain("assay eval run ./conversation.yaml --recording './no answers'")
    expect(explained.stdout).not.toMatch(/eval (?:retry-failed|resume)/)
    const again = await runCommand(["eval", "retry-failed", folderOfRun], { cwd: folder.path })
    expect([again.exitCode, again.stdout]).toEqual([exitCode, expect.stringContaining("has no recorded answer")])
    expect(again.stdout).not.toMatch(/eval (?:retry-failed|resume)/)
  })

  it("slices.yaml names the language that is worse than the rest", verifies("metric.slices"), async () => {
    const run = ["eval", "run", "slices.yaml", "--out", "sliced"]
    const { stdout } = await runCommand(run, { cwd: folder.path })
    expect(stdout).toMatch(
      /\nanswers\.equals\.accuracy by language: the worst slice is sw with 0\.\d+, .* below the rest/,
    )
    expect(stdout).toContain(
      "answers.equals.accuracy by category: no slice differs from the rest by more than chance.\n",
    )
    const results = await runCommand(["eval", "results", "./sliced"], { cwd: folder.path })
    expect(results.stdout).toMatch(/\nanswers\.equals\.accuracy  language: sw +0\.\d+ .* \*\n/)
    const report = await readFile(join(folder.path, "sliced/results/report.html"), "utf8")
    expect(report).toContain('aria-label="Means by language, with 95 % intervals"')
  })

  it("loglikelihood.yaml shows perplexities with their intervals", verifies("metric.loglikelihood"), async () => {
    const run = [
      "eval",
      "run",
      "loglikelihood.yaml",
      "--out",
      "texts",
      "--gate",
      "answers.loglikelihood.word_perplexity<=20",
    ]
    const { exitCode, stdout } = await runCommand(run, { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nanswers\.loglikelihood\.word_perplexity +5\.\d+  2\.\d+ to 9\.\d+ /)
    // Too few texts have no interval, so a gate is not decided by luck.
    const few = [...run.slice(0, 3), "--limit", "4", "--out", "few", ...run.slice(5)]
    expect(await runCommand(few, { cwd: folder.path })).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/word_perplexity <= 20 +\d\.\d+ +– +INCONCLUSIVE\n/),
    })
    expect(stdout).toMatch(/\nanswers\.loglikelihood\.word_perplexity <= 20 +5\.\d+  2\.\d+ to 9\.\d+ +PASS\n/)
  })

  it(
    "can be planned without a server: nothing is asked but what the checks ask",
    verifies("plans.asks-nothing"),
    async () => {
      const { exitCode, stdout, stderr } = await runCommand(["eval", "plan", "llm-judge.yaml"], { cwd: folder.path })
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("passed  judge_format")])
      expect(stdout).toMatch(
        /^The job can be launched: 20 rows, 40 requests\n\n +Rows +20\n +Requests +40\n +Interval of a share +at most ±20\.1 points/,
      )
      const json = (await runCommand(["eval", "plan", "capitals.yaml", "--json"], { cwd: folder.path })).stdout
      expect(JSON.parse(json)).toMatchObject({ launchable: true, estimate: { rows: 20, requests: 0 } })
    },
  )

  it.each(Object.entries(SCORES).filter(([name]) => !SANDBOXED.has(name) || isSandboxPossible))(
    "%s runs and scores %j",
    verifies("cli.eval.examples"),
    async (name, [score, value, scored = 20]) => {
      const { exitCode, stdout, stderr } = await runCommand(["eval", "run", name, "--json"], { cwd: folder.path })
      expect([exitCode, stderr]).toEqual([0, ""])
      const [task = "", metric = "", part = ""] = score.split(".")
      const { result, conditions } = JSON.parse(stdout) as {
        result: {
          tasks: Record<
            string,
            { metrics: Record<string, { scores: Record<string, { value: number; stats: object }> }> }
          >
        }
        conditions: unknown
      }
      const found = result.tasks[task]?.metrics[metric]?.scores[part]
      expect(found).toMatchObject({ value, stats: { scored, complete: true } })
      expect(conditions).toEqual([])
    },
  )
})
