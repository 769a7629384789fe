import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { planOf, scorePlan, testEnvironment } from "@assay/evaluation/testing"
import type { EvaluationConfigBody } from "@assay/schemas"
import { type EvaluationContent, readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { compileRequestTemplate } from "@assay/scoring"
import { startFakeInference } from "@assay/testkit"
import { parse } from "yaml"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeImportedFiles } from "../output/imported-file.ts"
import { importPromptfoo } from "./import-promptfoo.ts"

/** A configuration, and what promptfoo said about it. `verdicts.json` names the version and the command. */
interface Case {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  readonly config: string
}

interface Verdict {
  readonly prompt: number
  readonly asked: string
  readonly output: string
  readonly passed: boolean
  readonly score: number
  readonly checks: readonly { readonly type: string; readonly passed: boolean }[]
}

const FOLDER = join(import.meta.dirname, "../testing/promptfoo")
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8")
const cases = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => parse(read(name)) as readonly Case[])
const { cases: verdicts } = JSON.parse(read("verdicts.json")) as { cases: Readonly<Record<string, readonly Verdict[]>> }

const HEAD = {
  providers:
    'providers: [{ id: "openai:chat:fake", config: { apiBaseUrl: "http://127.0.0.1:9000/v1", apiKey: none } }]\n',
  prompts: 'prompts: ["=> {{out}}"]\n',
}

/** Replies as the text after `verdict-` says. */
const judge = ({ messages }: { readonly messages: readonly { readonly content?: unknown }[] }) => {
  const text = messages.map(({ content }) => String(content)).join("\n")
  const [, word, score] = /verdict-(pass|fail)-([\d.]*\d)/.exec(text) ?? []
  return { content: JSON.stringify({ reason: "By the rule.", pass: word === "pass", score: Number(score) }) }
}

let inference: Awaited<ReturnType<typeof startFakeInference>>
beforeAll(async () => {
  inference = await startFakeInference({ models: { judge } })
})
afterAll(() => inference.close())

async function importCase({ config, files = {} }: Case) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-import-"))
  const head = Object.entries(HEAD).map(([key, text]) => (new RegExp(`^${key}:`, "m").test(config) ? "" : text))
  const written = {
    ...files,
    "promptfooconfig.yaml": `${head.join("")}${config}`.replaceAll("http://127.0.0.1:9000/v1", `${inference.url}/v1`),
  }
  for (const [name, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true })
    writeFileSync(join(folder.path, name), text)
  }
  const imported = await importPromptfoo({ file: "promptfooconfig.yaml", cwd: folder.path, out: "evaluation.yaml" })
  await writeImportedFiles(imported.files, false)
  const text = readFileSync(join(folder.path, "evaluation.yaml"), "utf8")
  const content = readEvaluationCells(parseYaml(text, "evaluation.yaml"))[0].content
  const lines = readFileSync(join(folder.path, "evaluation.rows.jsonl"), "utf8").trimEnd().split("\n")
  return { content, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>), notes: imported.notes }
}

/** Scores the outputs of promptfoo's model, task by task. Each row gets the output of a result with its prompt. */
async function scoreOutputs(
  content: EvaluationContent,
  rows: readonly Record<string, unknown>[],
  verdictsOfCase: readonly Verdict[],
) {
  const { tasks = {} } = content.config as EvaluationConfigBody
  const open = [...verdictsOfCase]
  const found = []
  for (const [name, { metrics = {}, params }] of Object.entries(tasks)) {
    const template = compileRequestTemplate(params?.template, name)
    const expected = rows.map((item) => {
      const asked = promptOf(template.render({ item }))
      const at = open.findIndex((one) => messagesOf(one.asked) === asked)
      expect(at, `promptfoo asked ${open.map((one) => messagesOf(one.asked)).join(" ")}, not ${asked}`).not.toBe(-1)
      return open.splice(at, 1)[0]
    })
    const answered = rows.map((row, index) => ({
      ...row,
      response: {
        choices: [{ finish_reason: "stop", message: { role: "assistant", content: expected[index]?.output } }],
      },
      latency_ms: 5,
    }))
    const config: EvaluationConfigBody = { type: "custom", tasks: { [name]: { type: "data", metrics } } }
    const scored = await scorePlan(await planOf({ type: "rows", rows: answered }, config, testEnvironment()))
    for (const [index, { outcomes }] of scored.entries())
      found.push({ expected: expected[index], scores: outcomes["test"]?.scores ?? {} })
  }
  expect(open).toEqual([])
  return found
}

describe("an imported configuration of promptfoo", () => {
  it("is one of at least 40 with stored verdicts", () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    expect(cases.map(({ name }) => name).toSorted()).toEqual(Object.keys(verdicts).toSorted())
  })

  it.each(cases.map((one) => [one.name, one] as const))("has its verdicts: %s", async (name, one) => {
    const { content, rows } = await importCase(one)
    for (const { expected, scores } of await scoreOutputs(content, rows, verdicts[name] ?? [])) {
      if (expected === undefined) throw new Error("promptfoo has no such result.")
      const { passed, score, checks } = expected
      if (checks.length === 0) {
        expect(scores).toEqual({})
        continue
      }
      expect({ passed: scores["passed"], score: scores["score"] }).toEqual({
        passed: passed ? 1 : 0,
        score: expect.closeTo(score, 9) as number,
      })
    }
  })
})

function promptOf(request: object): string {
  const { messages } = request as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
  return JSON.stringify(messages.map(({ role, content }) => ({ role, content })))
}

/** Returns the messages of a prompt as promptfoo stores it: a text, or a chat as JSON. */
function messagesOf(asked: string): string {
  const isChat = asked.trimStart().startsWith("[{")
  return JSON.stringify(isChat ? JSON.parse(asked) : [{ role: "user", content: asked }])
}
