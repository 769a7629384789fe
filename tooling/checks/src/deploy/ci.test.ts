import { accessSync, constants } from "node:fs"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { lookedAt } from "../reading/looked-at.ts"
import { readText, REPOSITORY_ROOT } from "../reading/repository.ts"
import { at, listAt, textAt } from "./read-manifests.ts"
import schema from "./github-action.schema.json" with { type: "json" }

const action: unknown = parse(readText("action.yml"))
const script = readText("deploy/ci/run-evaluation.sh")
const guide = readText("docs/guides/ci.md")
const steps = lookedAt("step", listAt(action, "runs", "steps"))
const isValid = new Ajv({ strict: false }).compile(schema)

describe("action.yml", () => {
  it("has the form of a composite action, unlike one with a misspelt key or a step without a shell", () => {
    expect([isValid(action), isValid.errors]).toEqual([true, null])
    const run = (step: object) => isValid({ name: "a", description: "a", runs: { using: "composite", steps: [step] } })
    expect([run({ run: "x", shell: "sh" }), run({ run: "x" }), run({ uses: "a", wiht: {} })]).toEqual([
      true,
      false,
      false,
    ])
  })

  it("gives inputs to scripts as variables, and never as a part of a command", () => {
    for (const step of steps) expect(textAt(step, "run")).not.toContain("${{")
  })

  it("sets each variable that the script reads, and no other", () => {
    const set = Object.keys((steps.find((step) => textAt(step, "id") === "run") as { env: object }).env)
    const read = new Set(script.match(/\bASSAY_[A-Z_]+\b/g))
    expect(set.filter((name) => !read.has(name))).toEqual([])
    expect([...read].filter((name) => !set.includes(name))).toEqual([])
  })

  it("is described with all of its inputs and outputs", () => {
    const names = lookedAt("input", [
      ...Object.keys(at(action, "inputs") as object),
      ...Object.keys(at(action, "outputs") as object),
    ])
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })
})

describe("the files for other CI systems", () => {
  it("name scripts that can be executed, and files that the hook finds", () => {
    const [hook] = parse(readText(".pre-commit-hooks.yaml")) as { entry: string; files: string; language: string }[]
    expect(hook?.language).toBe("script")
    accessSync(`${REPOSITORY_ROOT}${hook?.entry}`, constants.X_OK)
    accessSync(`${REPOSITORY_ROOT}deploy/ci/run-evaluation.sh`, constants.X_OK)
    const found = ["eval.yaml", "a/qa.eval.yml", "evaluation.json", "medieval.yaml", "values.yaml"]
    expect(found.filter((name) => new RegExp(hook?.files ?? "").test(name))).toEqual(found.slice(0, 3))
  })

  it("use options of `assay eval run` that exist", () => {
    const job = at(parse(readText("deploy/ci/gitlab.yml")), ".assay-evaluation")
    const commands = lookedAt("command", listAt(job, "script")).map(String)
    const reference = readText("docs/reference/cli.md")
    for (const option of commands.join(" ").match(/--[a-z]+/g) ?? []) expect(reference).toContain(`${option} `)
    expect(commands.every((command) => command.startsWith('assay eval run "$ASSAY_CI_FILE" '))).toBe(true)
  })
})
