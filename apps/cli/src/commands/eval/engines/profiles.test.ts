import { existsSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

let folder: TemporaryFolder
beforeEach(() => {
  folder = makeTemporaryFolder()
  folder.write("rows.csv", "said,label\nx,x\n")
  folder.write(
    "eval.yaml",
    'model: {url: "http://127.0.0.1:9/v1", model: echo}\ndata: rows.csv\nprompt: "{{ said }}"\nchecks: [{exact-match: "{{ label }}"}]\n',
  )
  return () => folder[Symbol.dispose]()
})

describe("a profile of an engine", () => {
  const refused = async (text: string, words: readonly string[] = ["--profile", "p"]) => {
    folder.write("executors.yaml", text)
    const { exitCode, stderr } = await runCommand(["eval", "run", "eval.yaml", "--skip-checks", ...words], {
      cwd: folder.path,
    })
    expect(exitCode).toBe(2)
    return stderr.split("\n")[0]
  }

  it.each(["", " ", "a b", "a/b", "-a", "a\tb", "x".repeat(64)])(
    "needs a name that commands can have: %j",
    async (name) => {
      expect(
        await refused(JSON.stringify({ profiles: { [name]: { executor: "local" }, p: { executor: "local" } } })),
      ).toContain(
        "is not a name of a profile: use 1 to 63 letters, digits, '.', '_' and '-', and begin with a letter or a digit.",
      )
    },
  )

  it("is refused with file, line, key and what is allowed", async () => {
    expect(await refused("profiles: {p: {executor: locale}}")).toBe(
      "error: ./executors.yaml:1:16: 'executor': There is no executor 'locale'. Must be one of: local, command, slurm, kubernetes.",
    )
    expect(await refused("profiles:\n  p:\n    executor: command\n    comand: x\n")).toBe(
      "error: ./executors.yaml:4:5: 'comand': Unknown field 'comand'; did you mean 'command'?",
    )
    expect(await refused("profiles:\n  p:\n    executor: command\n    command: 'echo {rum}'\n")).toMatch(
      /^error: \.\/executors\.yaml:4:5: 'command': There is no placeholder \{rum\}: use \{run\}, /,
    )
    expect(await refused("profiles: {p: {executor: local, at_once: many}}")).toContain(
      "'at_once': Must be a whole number from 1 to 100000.",
    )
    expect(await refused("profiles: {cluster: {executor: local}}", ["--profile", "clutser"])).toContain(
      "has no profile 'clutser'. It has: cluster. Did you mean 'cluster'?",
    )
    expect(await refused("profiles: {p: {executor: local}}", ["--profile", "p", "--executor", "command"])).toContain(
      "The profile 'p' is for the executor 'local', not 'command'",
    )
    expect(await refused("profiles:\n  p:\n    executor: slurm\n    setup: [x, 'A=sk-abcdefghijkl']\n")).toBe(
      "error: ./executors.yaml:4:16: 'setup.1': It contains a key, and a profile is kept in the run: put the key into a variable of the processes.",
    )
    expect(await refused("profiles: {}", ["--executor", "slurn"])).toContain("There is no executor 'slurn'.")
    expect(await refused("[]", ["--shards", "3"])).toContain("--shards needs an engine")
  })

  it("has to pass the options of shards on", async () => {
    const text = "profiles: {p: {executor: command, command: 'x {run}'}}"
    expect(await refused(text, ["--profile", "p", "--shards", "2", "--key-host", "a.example"])).toContain(
      "The command of the profile has no {options}, so --key-host a.example would not reach the shards",
    )
  })
})

describe("an evaluation file where files of strangers run", () => {
  const run = async (text: string, env: Readonly<Record<string, string>>) => {
    folder.write("eval.yaml", text)
    folder.write("executors.yaml", 'profiles: {p: {executor: command, command: "touch started"}}')
    const given = { ASSAY_ALLOWED_FOLDERS: "", ...env }
    const { exitCode, stderr } = await runCommand(["eval", "run", "eval.yaml", "--skip-checks"], {
      cwd: folder.path,
      env: given,
    })
    return { exitCode, stderr, wasStarted: existsSync(join(folder.path, "started")) }
  }
  const ROWS = 'output: "{{ said }}"\ndata: rows.csv\nchecks: [{exact-match: "{{ label }}"}]\n'

  it("starts no command of a profile that only the file names", async () => {
    const { exitCode, stderr, wasStarted } = await run(`${ROWS}executor: p\n`, {})
    expect([exitCode, wasStarted, stderr]).toEqual([
      2,
      false,
      expect.stringContaining("eval.yaml names the executor 'p' of ./executors.yaml, which can come from others"),
    ])
  })

  it("starts no harness, unless the operator trusts it", async () => {
    const target = 'target: {type: model, model: {api_endpoint: {url: "http://127.0.0.1:9/v1", model_id: m}}}'
    const harness = '{command: [touch, "../../../../started"], results: results.json, time_limit: 5}'
    const text = `${target}\nconfig: {type: benchmark, harness: ${harness}}\n`
    const { exitCode, stderr } = await run(text, {})
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining("starts the command of a harness with the rights of this user"),
    ])
    const trusted = await run(text, { ASSAY_HARNESS_ISOLATION: "trusted" })
    expect(trusted.stderr).not.toContain("with the rights of this user")
  })
})
