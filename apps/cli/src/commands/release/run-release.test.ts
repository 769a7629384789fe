import { cpSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import type { ReleaseReport } from "@assay/schemas"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const ROWS = 300

const folder = makeTemporaryFolder()
let endpoint: FakeInference
beforeAll(async () => {
  endpoint = await startFakeInference()
  for (const [name, right] of [
    ["good", 285],
    ["bad", 150],
    ["near", 240],
  ] as const) {
    const rows = Array.from({ length: ROWS }, (_, at) =>
      JSON.stringify({ question: `${name} ${at}`, expected: at < right ? `${name} ${at}` : "other" }),
    )
    folder.write(`${name}.jsonl`, `${rows.join("\n")}\n`)
    folder.write(
      `${name}.yaml`,
      `model: ${endpoint.url}/v1#echo\ndata: ${name}.jsonl\nprompt: "{{ question }}"\nchecks: [{ exact-match: "{{ expected }}" }]\n`,
    )
  }
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

const assay = (...words: string[]) => runCommand(words, { cwd: folder.path })
const evaluation = (name: string, tier: string, more = "") =>
  `  ${name}: { run: ./${name}.yaml, results: ./out/${name}, tier: ${tier}, gates: [exact-match >= 0.8${more}] }\n`
const write = (text: string) => folder.write("policy.yaml", `evaluations:\n${text}`)
const begin = () => rmSync(join(folder.path, "out"), { recursive: true, force: true })
const reportOf = (text: string) => JSON.parse(text) as ReleaseReport

describe("assay release run", () => {
  it(
    "asks until every limit is decided, release check agrees, and nothing is asked again",
    verifies("release.run", "release.resumed"),
    async () => {
      begin()
      write(evaluation("near", "advisory") + evaluation("good", "critical"))
      const found = await assay("release", "run", "policy.yaml")
      expect(found.exitCode).toBe(0)
      // The critical evaluation comes first, and the limit of the other is its mean: no number of its rows decides it.
      expect(found.stderr).toMatch(
        /^good: .*\ngood: COMPLETED, PASS after \d+ of 300 rows.*\nnear: .*\nnear: .* All rows were asked/,
      )
      expect(found.stdout).toMatch(/near +advisory +INCONCLUSIVE .*\ngood +critical +PASS +1 of 1 passed\n/)
      expect(found.stdout).toMatch(/\nAsked [34]\d\d of 600 rows; [2-4]\d\.\d % of the calls were saved\.\n$/)
      const before = endpoint.requests.length
      const again = await assay("release", "run", "policy.yaml", "--json", "--parallel", "3", "--rate", "50")
      expect([again.exitCode, again.stderr, endpoint.requests.length]).toEqual([0, "", before])
      const { asked, ...report } = reportOf(again.stdout)
      expect(asked).toMatchObject({ rows_total: 600, not_asked: [] })
      const checked = await assay("release", "check", "policy.yaml", "--json")
      expect(reportOf(checked.stdout)).toEqual(report)
    },
  )

  it("asks nothing after an evaluation that blocks, unless all are to be asked", verifies("release.run"), async () => {
    begin()
    write(evaluation("near", "advisory") + evaluation("bad", "supporting") + evaluation("good", "critical"))
    const before = endpoint.requests.length
    const found = await assay("release", "run", "policy.yaml", "--summary", "summary.md")
    expect([found.exitCode, endpoint.requests.length - before < ROWS]).toEqual([1, true])
    expect(found.stdout).toContain("MISSING: not asked, because 'bad' blocks the release.")
    expect(readFileSync(join(folder.path, "summary.md"), "utf8")).toContain(
      "Not asked, because the verdict was certain: 'near'",
    )
    expect((await assay("release", "check", "policy.yaml")).exitCode).toBe(1)
    const all = await assay("release", "run", "policy.yaml", "--all", "--json")
    expect(all.exitCode).toBe(1)
    expect(reportOf(all.stdout).evaluations.map(({ state }) => state)).toEqual(["INCONCLUSIVE", "FAIL", "PASS"])
    // Older results that are missing block as well, before anything is asked.
    begin()
    write(evaluation("good", "critical") + evaluation("near", "supporting").replace("gates", "against: ./none, gates"))
    const asked = endpoint.requests.length
    const none = await assay("release", "run", "policy.yaml")
    expect([none.exitCode, endpoint.requests.length - asked]).toEqual([1, 0])
  })

  it(
    "continues what was interrupted or has failed, and asks no answered row again",
    verifies("release.resumed"),
    async () => {
      begin()
      write(evaluation("near", "critical"))
      const first = endpoint.requests.length
      const stop = new AbortController()
      const timer = setInterval(() => {
        if (endpoint.requests.length - first >= 40) stop.abort()
      }, 1)
      const stopped = await runCommand(["release", "run", "policy.yaml"], { cwd: folder.path, signal: stop.signal })
      clearInterval(timer)
      expect([stopped.exitCode, stopped.stderr]).toEqual([
        130,
        expect.stringContaining("rows are answered and kept in ./out/near"),
      ])
      const found = await assay("release", "run", "policy.yaml")
      expect([found.exitCode, found.stderr]).toEqual([3, expect.stringContaining("resuming ./out/near")])
      // Requests in flight at the interruption are sent again, and so is the one of the launch checks.
      expect(endpoint.requests.length - first).toBeLessThan(ROWS + 40)
      begin()
      endpoint.faults.add({ fault: { kind: "answer", status: 401, body: "no" } })
      const failed = await assay("release", "run", "policy.yaml", "--skip-checks")
      expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining("is FAILED, and not COMPLETED")])
      endpoint.faults.clear()
      expect((await assay("release", "run", "policy.yaml")).exitCode).toBe(3)
    },
  )

  it(
    "runs an evaluation with a comparison to its end, and results of several evaluations once",
    verifies("release.run"),
    async () => {
      begin()
      write(evaluation("good", "critical"))
      expect((await assay("release", "run", "policy.yaml", "--all")).exitCode).toBe(0)
      cpSync(join(folder.path, "out/good"), join(folder.path, "old"), { recursive: true })
      begin()
      const both = evaluation("good", "critical")
        .replace("gates", "against: ./old, gates")
        .replace("0.8]", "0.8, { metric: exact-match, margin: 0.1 }]")
      write(
        both + evaluation("tone", "advisory").replace("./tone.yaml", "./good.yaml").replace("./out/tone", "out/good"),
      )
      const before = endpoint.requests.length
      const found = await assay("release", "run", "policy.yaml", "--json")
      expect([found.exitCode, endpoint.requests.length - before - ROWS < 10]).toEqual([0, true])
      expect(reportOf(found.stdout)).toMatchObject({
        asked: { rows: ROWS, rows_total: ROWS },
        evaluations: [{ gates: [{ rows: ROWS }, { limit: "at most 0.1 worse than ./old" }] }, { state: "PASS" }],
      })
    },
  )

  it("refuses a policy that can't be run before anything is asked", verifies("release.run"), async () => {
    begin()
    const before = endpoint.requests.length
    const good = evaluation("good", "critical")
    folder.write(
      "two.yaml",
      `models: [${endpoint.url}/v1#echo, ${endpoint.url}/v1#chat]\ndata: good.jsonl\nprompt: "{{ question }}"\nchecks: [latency]\n`,
    )
    for (const [text, message] of [
      [
        good + evaluation("bad", "critical").replace("exact-match", "exact-mach"),
        /policy\.yaml:3:71: A gate names 'exact-mach', which is not a score of this job/,
      ],
      [good + evaluation("two", "critical"), /'\.\/two\.yaml' of 'two' describes 2 jobs/],
      [
        good + evaluation("bad", "critical").replace("out/bad", "out/good"),
        /'good' runs '\.\/good\.yaml' and 'bad' runs '\.\/bad\.yaml'/,
      ],
      [good.replace("gates", "against: out/good, gates"), /whose results its run would replace/],
      [good.replace("run:", "runs:"), /did you mean 'run'\?/],
      [evaluation("none", "critical"), /none\.yaml/],
    ] as const) {
      write(text)
      const { exitCode, stderr } = await assay("release", "run", "policy.yaml")
      expect([exitCode, stderr], text).toEqual([2, expect.stringMatching(message)])
    }
    expect(endpoint.requests).toHaveLength(before)
    write(good)
    expect((await assay("release", "run", "policy.yaml")).exitCode).toBe(0)
    const other = good.replace("0.8", "0.7")
    write(other)
    const asked = endpoint.requests.length
    const changed = await assay("release", "run", "policy.yaml")
    expect([changed.exitCode, changed.stderr, endpoint.requests.length]).toEqual([
      2,
      expect.stringMatching(/has the results of another job.*--force/s),
      asked,
    ])
    expect((await assay("release", "run", "policy.yaml", "--force")).exitCode).toBe(0)
  })
})
