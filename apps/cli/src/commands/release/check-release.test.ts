import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const EXAMPLES = fileURLToPath(new URL("../../../../../examples", import.meta.url))

it(
  "The example of a release passes, and is blocked by a worse version and by missing results",
  verifies("release.check"),
  async () => {
    using folder = makeTemporaryFolder()
    const endpoint = await startFakeInference()
    try {
      for (const name of ["baselines", "evaluation", "labels", "release"]) {
        cpSync(join(EXAMPLES, name), join(folder.path, name), { recursive: true })
      }
      folder.write(".git/HEAD", "")
      const cwd = join(folder.path, "release")
      const assay = (...words: string[]) => runCommand(words, { cwd })
      for (const name of ["judge", "new-prompt"]) {
        const text = readFileSync(join(folder.path, "baselines", `${name}.yaml`), "utf8")
        folder.write(`baselines/${name}.yaml`, text.replaceAll("http://127.0.0.1:9000", endpoint.url))
      }
      expect((await assay("eval", "run", "../baselines/judge.yaml", "--out", "./results/judge")).exitCode).toBe(0)
      expect((await assay("release", "run", "policy.yaml")).exitCode).toBe(0)
      const passed = await assay("release", "check", "policy.yaml", "--summary", "summary.md", "--junit", "junit.xml")
      expect([passed.exitCode, passed.stderr]).toEqual([0, ""])
      expect(passed.stdout).toMatch(/harmful-messages +critical +PASS +2 of 2 passed\n/)
      expect(passed.stdout).toMatch(
        /\nPASS: All of 2 evaluations that block passed\. 1 advisory evaluation did not pass\.\n/,
      )
      const lines = passed.stdout.slice(0, passed.stdout.indexOf("\n\n")).split("\n")
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
      expect(readFileSync(join(cwd, "summary.md"), "utf8")).toMatch(/^## ✅ Release: PASS\n/)
      expect(readFileSync(join(cwd, "junit.xml"), "utf8")).toContain(
        '<testsuites name="release" tests="4" failures="0"',
      )

      const policy = readFileSync(join(cwd, "policy.yaml"), "utf8")
      const numbers = "release/results/capitals/results/results.json"
      const stored = readFileSync(join(folder.path, numbers), "utf8")
      folder.write(numbers, stored.replace(/"value": 0\.\d+/, '"value": 0.987'))
      const edited = await assay("release", "check", "policy.yaml")
      expect([edited.exitCode, edited.stdout]).toEqual([
        1,
        expect.stringMatching(
          /MISSING: results\.json of '\.\/results\/capitals' is not what its rows give: \S+\.value is 0\.987, and the rows give 0\.\d+/,
        ),
      ])
      folder.write(numbers, stored)
      const older = "release/results/judge/results/rows.jsonl"
      const rows = readFileSync(join(folder.path, older), "utf8")
      folder.write(older, rows.slice(0, rows.indexOf("\n", rows.length / 2) + 1))
      folder.write("release/compared.yaml", policy.replace("- equals >= 0.75", ""))
      const lost = await assay("release", "check", "compared.yaml")
      expect([lost.exitCode, lost.stdout]).toEqual([
        1,
        expect.stringContaining("MISSING: results.json of './results/judge' is not what its rows give"),
      ])
      folder.write(older, rows)
      expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0)
      for (const words of [
        ["release", "check", "pipe"],
        ["verify", "pipe"],
        ["eval", "bundle", "./results/judge", "-o", "verdict.assay", "--key", "pipe"],
        ["eval", "plan", "pipe"],
        ["label", "report", "./results/judge", "--metric", "equals", "--labels", "pipe"],
      ]) {
        const { exitCode, stderr } = await assay(...words)
        expect([exitCode, stderr], words.join(" ")).toEqual([2, expect.stringContaining("is not a regular file")])
      }
      const swapped = policy
        .replace("./results/new-prompt", "./results/old")
        .replace("./results/judge", "./results/new-prompt")
      cpSync(join(cwd, "results/judge"), join(cwd, "results/old"), { recursive: true })
      folder.write("release/swapped.yaml", swapped)
      const failed = await assay("release", "check", "swapped.yaml", "--json")
      expect(failed.exitCode).toBe(1)
      expect(JSON.parse(failed.stdout)).toMatchObject({ verdict: "FAIL", evaluations: [{ state: "FAIL" }, {}, {}] })
      rmSync(join(cwd, "results/capitals"), { recursive: true })
      const missing = await assay("release", "check", "policy.yaml")
      expect(missing.exitCode).toBe(1)
      expect(missing.stdout).toMatch(/capitals +supporting +MISSING +no results\n/)
      folder.write("release/typo.yaml", policy.replace("tier: critical", "teir: critical"))
      const typo = await assay("release", "check", "typo.yaml")
      expect([typo.exitCode, typo.stderr]).toEqual([
        2,
        expect.stringMatching(/typo\.yaml:10:5: .*did you mean 'tier'\?/),
      ])
      const schema = await assay("schema", "policy")
      expect(JSON.parse(schema.stdout)).toMatchObject({ title: "Release policy of Assay" })
    } finally {
      await endpoint.close()
    }
  },
)
