import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFakeInference } from "@assay/testkit"
import { expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const EXAMPLE = fileURLToPath(new URL("../../../../../examples/labels", import.meta.url))

it("The example of labels corrects a judge by what people say", async () => {
  using folder = makeTemporaryFolder()
  const endpoint = await startFakeInference()
  try {
    cpSync(EXAMPLE, folder.path, { recursive: true })
    const read = (name: string) => readFileSync(join(folder.path, name), "utf8")
    folder.write("harmful.yaml", read("harmful.yaml").replaceAll("http://127.0.0.1:9000", endpoint.url))
    const run = async (...words: string[]) => {
      const { exitCode, stdout } = await runCommand(words, { cwd: folder.path })
      expect(exitCode).toBe(0)
      return stdout
    }
    await run("eval", "run", "harmful.yaml", "--out", "./results")
    await run("label", "next", "./results", "--metric", "harmful", "--limit", "120", "--out", "sheet.jsonl")
    folder.write("filled.jsonl", read("sheet.jsonl").replaceAll(/("people":([01]).*)"label":null/g, '$1"label":$2'))
    expect(await run("label", "add", "./results", "filled.jsonl", "--author", "ann")).toContain("added 120 labels")
    const report = await run("label", "report", "./results", "--metric", "harmful")
    expect(report).toMatch(
      /judge alone +0\.529 [^]*judge, corrected by people +0\.\d+ +0\.\d+ to 0\.\d+ +240 rows, 120 labels/,
    )
  } finally {
    await endpoint.close()
  }
})

it("The example of two models is decided by 24 labels", async () => {
  using folder = makeTemporaryFolder()
  const endpoint = await startFakeInference()
  try {
    cpSync(join(EXAMPLE, ".."), folder.path, { recursive: true, filter: (path) => !path.includes("node_modules") })
    folder.write(".git/HEAD", "")
    const read = (name: string) => readFileSync(join(folder.path, "two-models", name), "utf8")
    const write = (name: string, text: string) => folder.write(join("two-models", name), text)
    const run = async (...words: string[]) => runCommand(words, { cwd: join(folder.path, "two-models") })
    const jobs = ["./before", "./after"]
    for (const job of jobs) {
      write(`${job}.yaml`, read(`${job}.yaml`).replaceAll("http://127.0.0.1:9000", endpoint.url))
      expect((await run("eval", "run", `${job}.yaml`, "--out", job)).exitCode).toBe(0)
    }
    const next = ["label", "next", ...jobs, "--metric", "helpful", "--margin", "0.05", "--until-decided"]
    await run(...next, "--limit", "12", "--out", "sheet.jsonl")
    const right = read("sheet.jsonl").replaceAll(
      /("people":(?:0.*"output":"no|1.*"output":"yes).*)"label":null/g,
      '$1"label":1',
    )
    write("filled.jsonl", right.replaceAll('"label":null', '"label":0'))
    for (const job of jobs) expect((await run("label", "add", job, "filled.jsonl")).exitCode).toBe(0)
    expect((await run(...next)).stdout).toMatch(/^decided: PASS[^]*12 of 39 answers that differ .* \(24 labels\)/)
    expect((await run("eval", "compare", ...jobs, "--margin", "0.05", "--corrected")).exitCode).toBe(0)
  } finally {
    await endpoint.close()
  }
})
