import { cp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const EXAMPLES = fileURLToPath(new URL("../../../../../examples", import.meta.url))

let endpoint: FakeInference
const folder = makeTemporaryFolder()
const cwd = join(folder.path, "baselines")
beforeAll(async () => {
  endpoint = await startFakeInference()
  for (const name of ["baselines", "labels"])
    await cp(join(EXAMPLES, name), join(folder.path, name), { recursive: true })
  for (const name of await readdir(cwd)) {
    const text = await readFile(join(cwd, name), "utf8")
    await writeFile(join(cwd, name), text.replaceAll("http://127.0.0.1:9000", endpoint.url))
  }
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

const evaluate = (...words: readonly string[]) => runCommand(["eval", ...words], { cwd })

describe("the examples of baselines", () => {
  it("plan a run with its cost, if there are prices", async () => {
    const { exitCode, stdout } = await evaluate("plan", "judge.yaml", "--prices", "prices.yaml")
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\n +Cost +about 0\.0017 USD\n/)
    expect((await evaluate("plan", "judge.yaml")).stdout).toMatch(/\n +Cost +unknown\n/)
  })

  it(
    "decide that the new prompt is better, and that the same one has not changed",
    verifies("baselines.decide"),
    async () => {
      expect((await evaluate("run", "judge.yaml", "--out", "before")).exitCode).toBe(0)
      const better = await evaluate("run", "new-prompt.yaml", "--against", "./before")
      expect(better.exitCode).toBe(0)
      expect(better.stdout).toMatch(/\nanswers\.equals\.accuracy +0\.713 +0\.867 +\+0\.154 .* PASS\n/)
      const same = await evaluate("run", "judge.yaml", "--against", "./before", "--fresh")
      expect(same.stdout).toContain("\nno row changed: equal results are PASS")
      const worse = await evaluate("run", "new-prompt.yaml", "--out", "new")
      expect(worse.exitCode).toBe(0)
      expect((await evaluate("compare", "./new", "./before")).exitCode).toBe(1)
    },
  )

  it("end by a budget, and are refused if its cost can't be known", async () => {
    const { exitCode, stdout } = await evaluate("run", "small-budget.yaml", "--prices", "prices.yaml")
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^judge: COMPLETED, 100 rows in .*, 0\.000\d+ USD\nEnded by max_requests after 100 of 240 rows\.\n/,
    )
    const without = await evaluate("run", "small-budget.yaml", "--fresh")
    expect(without.exitCode).toBe(2)
    expect(without.stderr).toContain("the price of 'small-judge' is not known")
    const broken = await evaluate("plan", "judge.yaml", "--prices", "judge.yaml")
    expect(broken).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("judge.yaml:2:") })
    const served = await evaluate("plan", "judge.yaml", "--prices", "prices.yaml", "--server", endpoint.url)
    expect(served).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("a server has its own prices") })
  })

  it("continue with the prices that they began with", async () => {
    await evaluate("run", "small-budget.yaml", "--prices", "prices.yaml", "--out", "priced")
    const again = await evaluate("retry-failed", "./priced")
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ USD\nEnded by max_requests/) })
  })
})
