import { programFiles, readEvaluationCells, evaluationFileSchema } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { type FileSchema, formatEvaluationPage } from "./evaluation-page.ts"
import { codeBlocks } from "./reading/code-blocks.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"

const schema = evaluationFileSchema()
const isValid = new Ajv({ strict: false }).compile(schema)

/** Returns whether a text is a whole evaluation file, and not a part of one or another file. */
function isEvaluation(text: string): boolean {
  const keys = new Set([...text.matchAll(/^([a-z]+):/gm)].map(([, key]) => key))
  return (keys.has("checks") && keys.has("data")) || (keys.has("target") && keys.has("config"))
}

/** The evaluation files of the documentation and of the examples, by their location. */
function examples(): readonly (readonly [string, string])[] {
  const files = repositoryFiles(/^examples\/.*\.ya?ml$/).map((path) => [path, readText(path)] as const)
  const blocks = repositoryFiles(/\.md$/).flatMap((path) => {
    const text = readText(path)
    const written = codeBlocks(text, "sh").flatMap((block) =>
      [...block.matchAll(/<<'YAML'\n([\s\S]*?)^YAML$/gm)].map(([, yaml = ""]) => yaml),
    )
    return [...codeBlocks(text, "yaml"), ...written].map((yaml, at) => [`${path} (block ${at + 1})`, yaml] as const)
  })
  return lookedAt(
    "evaluation file",
    [...files, ...blocks].filter(([, text]) => isEvaluation(text)),
  )
}

describe("the schema of evaluation files", () => {
  it("is what docs/reference shows; if not, run `node tooling/checks/src/write-evaluation-page.ts`", () => {
    const plain = (page: string) => page.replaceAll(/ +|-+/g, "")
    expect(plain(readText("docs/reference/evaluation-file.md"))).toBe(plain(formatEvaluationPage(schema as FileSchema)))
    expect(JSON.parse(readText("docs/reference/evaluation.schema.json"))).toEqual(schema)
  })

  it.each(examples())("and the reader accept %s", (location, text) => {
    const document = parseYaml(text, location)
    // A prompt in a file has any text.
    const prompts = new Map([...text.matchAll(/\.\/[\w./-]+\.txt/g)].map(([path]) => [path, "{{ question }}"]))
    const programs = new Map(programFiles(document).map((path) => [path, "print(1)"]))
    expect(readEvaluationCells(document, prompts, programs).length).toBeGreaterThan(0)
    expect(isValid(JSON.parse(JSON.stringify(document.value))) ? [] : isValid.errors).toEqual([])
  })

  it.each([
    ["a misspelt key", { model: "http://h/v1#m", data: "a.csv", checks: ["latency"], paralel: 1 }],
    ["a missing key", { model: "http://h/v1#m", checks: ["latency"] }],
    ["a model without a name", { model: "http://h/v1", data: "a.csv", checks: ["latency"] }],
    ["an unknown check", { model: "http://h/v1#m", data: "a.csv", checks: [{ equal: "a" }] }],
    ["both forms", { target: "a/b", config: "a/c", checks: ["latency"] }],
    ["an unknown type of target", { target: { type: "modl" }, config: "a/c" }],
  ])("refuses %s, as the reader does", (_what, value) => {
    expect(isValid(value)).toBe(false)
    expect(() => readEvaluationCells(parseYaml(JSON.stringify(value), "a.yaml"))).toThrow(/^a\.yaml:1:/)
  })
})
