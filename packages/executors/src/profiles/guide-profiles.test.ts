import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { createCommandExecutor } from "../command/command-executor.ts"
import type { CommandProfile } from "../command/command-profile.ts"
import { chooseProfile } from "./read-profile.ts"

const GUIDE = readFileSync(new URL("../../../../docs/guides/schedulers.md", import.meta.url), "utf8")
const BLOCKS = [...GUIDE.matchAll(/```yaml\n([^]*?)```/g)]
  .map(([, text = ""]) => text)
  .filter((block) => block.includes("profiles:\n"))

/** Reads a profile of a text as the command line does. */
async function choose(text: string, profile: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-guide-"))
  writeFileSync(join(folder.path, "executors.yaml"), text)
  return await chooseProfile({ profile, cwd: folder.path, env: {} })
}

it("every profile of the guide about schedulers is accepted", async () => {
  const looked: string[] = []
  for (const text of BLOCKS) {
    const { profiles } = parse(text) as { readonly profiles: object }
    for (const profile of Object.keys(profiles)) looked.push(`${(await choose(text, profile)).executor} ${profile}`)
  }
  expect(looked).toEqual(
    expect.arrayContaining([
      "local here",
      "command batch",
      "command argo",
      "command ray",
      "slurm cluster",
      "kubernetes cluster",
      "kubernetes queued",
    ]),
  )
})

describe("a profile of the guide for an engine that a command starts", () => {
  /** Submits a shard by a profile, and cancels it. The program of its engine prints its arguments into a file, and a text. Returns both calls. */
  async function callsOf(profile: string, program: string, prints: string) {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-guide-"))
    const bin = join(folder.path, "bin")
    mkdirSync(bin)
    const script = `#!/bin/sh\nfor word; do printf '%s\\n' "$word" >>calls; done; echo -- >>calls\nprintf '%s\\n' '${prints}'\n`
    writeFileSync(join(bin, program), script, { mode: 0o755 })
    const text = BLOCKS.find((block) => block.includes(`  ${profile}:\n`)) ?? ""
    const { values } = await choose(text, profile)
    const ports = { cwd: folder.path, env: { PATH: `${bin}:${process.env["PATH"]}` }, sleep: async () => {} }
    const own = { cores: 1, host: "here", pid: process.pid, isProcessAlive: () => true, endProcess: () => {} }
    const executor = createCommandExecutor(values as CommandProfile, { ...ports, ...own })
    const work = {
      run: "s3://bucket/a b$(x)",
      id: "eval-1",
      name: "mm.lu",
      count: 8,
      indexes: [7],
      atOnce: 1,
      program: ["assay"],
      options: ["--key-host", "a.example", "--key-host", "b.example"],
      merges: false,
      retries: 0,
    }
    const submission = await executor.submit(work, new AbortController().signal)
    await executor.cancel(submission)
    const calls = readFileSync(join(folder.path, "calls"), "utf8").split("--\n")
    return { submit: calls[0]?.trim().split("\n") ?? [], cancel: calls.at(-2)?.trim().split("\n"), submission, calls }
  }
  const words = [
    "eval",
    "shard",
    "s3://bucket/a b$(x)",
    "--index",
    "7",
    "--key-host",
    "a.example",
    "--key-host",
    "b.example",
  ]

  it.skipIf(!existsSync("/usr/bin/jq"))("calls aws with the words of the shard as JSON", async () => {
    const { submit, cancel, submission } = await callsOf("batch", "aws", "job-1")
    expect(submission.ids).toEqual(["job-1"])
    expect(submit.slice(0, 8)).toEqual(
      "batch submit-job --job-queue evaluations --job-definition assay --job-name mm-lu-7".split(" "),
    )
    expect(JSON.parse(submit.at(-1) ?? "")).toEqual({ command: words })
    expect(cancel?.slice(-2)).toEqual(["--job-id", "job-1"])
  })

  it("calls argo with parameters", async () => {
    const { submit, cancel, submission } = await callsOf("argo", "argo", "assay-shard-x")
    expect(submission.ids).toEqual(["assay-shard-x"])
    const parameters = ["run=s3://bucket/a b$(x)", "index=7", "hosts=,a.example,b.example"]
    const from = ["submit", "--from", "workflowtemplate/assay-shard"]
    expect(submit).toEqual([...from, ...parameters.flatMap((one) => ["-p", one]), "-o", "name"])
    expect(cancel).toEqual(["stop", "assay-shard-x"])
  })

  it("calls ray with the words of the shard, and an id of its own", async () => {
    const { submit, cancel, submission, calls } = await callsOf("ray", "ray", "Job submitted")
    const [id = ""] = submission.ids
    expect(id).toMatch(/^mm\.lu-7-\d+-\d+$/)
    expect(submit).toEqual(["job", "submit", "--no-wait", "--submission-id", id, "--entrypoint-num-cpus", "1"])
    expect(calls[1]?.trim().split("\n")).toEqual(["assay", ...words])
    expect(cancel).toEqual(["job", "stop", id])
  })
})
