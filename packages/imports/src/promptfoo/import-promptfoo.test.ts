import { existsSync, mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { EvaluationConfigBody } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { beforeEach, describe, expect, it } from "vitest"
import { writeImportedFiles } from "../output/imported-file.ts"
import { importPromptfoo, type ImportPromptfooOptions } from "./import-promptfoo.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-import-"))
  return () => folder.remove()
})

async function importText(text: string, over: Partial<ImportPromptfooOptions> = {}) {
  writeFileSync(join(folder.path, "promptfooconfig.yaml"), text)
  const options = { file: "promptfooconfig.yaml", cwd: folder.path, out: "evaluation.yaml", ...over }
  const imported = await importPromptfoo(options)
  const contents = imported.files
    .slice(1)
    .flatMap(({ text: yaml }) => readEvaluationCells(parseYaml(textOf(yaml), "evaluation.yaml")))
    .map(({ content }) => content)
  const leftOut = imported.notes.filter(({ outcome }) => outcome === "left out")
  return {
    ...imported,
    contents,
    leftOut: leftOut.map(({ location, part, detail }) => `${location}: ${part}: ${detail}`),
  }
}

const PROMPTS = 'prompts: ["Say {{ x }}."]\n'
const TESTS = "tests:\n  - vars: { x: a }\n    assert: [{ type: contains, value: a }]\n"
const LOCAL =
  "providers:\n  - id: openai:chat:small\n    config: { apiBaseUrl: http://127.0.0.1:9000/v1, apiKey: sk-secret-1234, temperature: 0.5, top_k: 3, user: me, strange: 1 }\n"

describe("providers of promptfoo", () => {
  it("keep address, name and parameters, and lose their keys", async () => {
    const { contents, files, notes } = await importText(LOCAL + PROMPTS + TESTS)
    expect(contents[0]).toMatchObject({
      target: {
        type: "model",
        model: { api_endpoint: { url: "http://127.0.0.1:9000/v1", model_id: "small", api_key_env: "OPENAI_API_KEY" } },
      },
      config: { params: { temperature: 0.5, max_tokens: 1024, extra: { top_k: 3, user: "me" } } },
    })
    expect(JSON.stringify([files, notes])).not.toContain("sk-secret")
    expect(notes.map(({ part, outcome }) => `${part}: ${outcome}`)).toEqual([
      "config.strange: left out",
      "key: changed",
      "contains: mapped",
    ])
  })

  it("become the models of one file, whose jobs ask and check the same as files of their own", async () => {
    const providers = [
      "openrouter:meta/small",
      '{ id: "ollama:chat:llama3", label: local, config: { temperature: 0.5, top_k: 3, stop: [x] } }',
      '{ id: https, config: { url: "http://127.0.0.1:9000/v1/chat/completions", body: { model: big, messages: "{{ prompt }}", temperature: 0 }, transformResponse: "json.choices[0].message.content" } }',
      "openai:completion:text",
      "anthropic:messages:large",
      '{ id: "localai:chat:x", transform: "output.trim()" }',
      '{ id: "vllm:llama3", label: local, config: { apiBaseUrl: "http://127.0.0.1:9001/v1", apiKeyEnvar: llama_key } }',
    ]
    const rest = `description: Words
evaluateOptions: { repeat: 2, maxConcurrency: 3 }
prompts: ["Say {{ x }}.", ./literal, { label: chat, raw: '[{"role": "user", "content": "{{ x }}?"}]' }]
${TESTS}`
    const { files, contents, notes } = await importText(`providers: [${providers.join(", ")}]\n${rest}`)
    expect(files.map(({ path }) => basename(path))).toEqual(["evaluation.rows.jsonl", "evaluation.yaml"])
    expect(textOf(files[1]?.text)).toContain("gates:\n  - test.passed >= 1 on these rows\n")
    expect(textOf(files[1]?.text)).toContain("such as test.passed >= 0.8.\n")
    expect(textOf(files[1]?.text).match(/on these rows\n/g)).toHaveLength(1)
    expect(notes).toContainEqual(expect.objectContaining({ part: "key of local", outcome: "changed" }))
    const alone: (typeof contents)[number][] = []
    for (const at of [0, 1, 2, 3, 6]) {
      alone.push(...(await importText(`providers: [${providers[at]}]\n${rest}`)).contents)
    }
    const jobs = alone.flatMap(({ target, config, description }) => {
      const { params, tasks = {} } = config as EvaluationConfigBody
      return Object.values(tasks).map((task) => ({
        target,
        description,
        gates: ["answers.test.passed >= 1 on these rows"],
        config: { type: "custom", params, tasks: { answers: task } },
      }))
    })
    const upper = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("llama_key", "LLAMA_KEY")) as unknown
    expect(contents).toEqual(upper(jobs))
  })

  it("with more prompts than a file can have jobs are refused with what to do", async () => {
    const prompts = `prompts: [${Array.from({ length: 51 }, (_, at) => `"${at} {{ x }}"`).join(", ")}]\n`
    const providers = 'providers: ["ollama:chat:a", "ollama:chat:b"]\n'
    await expect(importText(providers + prompts + TESTS)).rejects.toThrow("are 102 jobs, and a file can have 100; give")
  })

  it("with a password in their address are left out, and it is not shown", async () => {
    const text = LOCAL.replace("http://", "http://me:hidden@") + PROMPTS + TESTS
    const refused = importText(text)
    await expect(refused).rejects.toThrow(/contains a user name or a password/)
    await expect(refused).rejects.not.toThrow(/hidden/)
  })

  it.each(["providers: [anthropic:messages:large]\n", "providers: [exec:./run.sh]\n", "providers: [vllm:x]\n", ""])(
    "%j needs --model",
    async (providers) => {
      await expect(importText(providers + PROMPTS + TESTS)).rejects.toThrow(/give --model URL#name/)
      const model = { url: "http://127.0.0.1:9000/v1", name: "other" }
      const { contents } = await importText(providers + PROMPTS + TESTS, { model })
      expect(contents[0]?.target).toMatchObject({ model: { api_endpoint: { model_id: "other" } } })
    },
  )
})

describe("parts that are not imported", () => {
  it("are left out by name, with the line", async () => {
    const { leftOut } = await importText(`${LOCAL}${PROMPTS}derivedMetrics: []
tests:
  - vars: { x: a }
    assert:
      - { type: javascript, value: "output.length > 3" }
      - { type: contains, value: a, transform: "output.trim()" }
      - { type: regex, value: "(?=a)a" }
      - { type: similar, value: a }
      - { type: llm-rubric, value: polite }
      - { type: contains, value: "{{ broken" }
      - { type: contains }
      - { type: equals, value: file://check.js }
      - { type: new-thing }
      - { type: contains, value: "{{ env.HOME }}" }
  - vars: { x: b }
    options: { transform: "output.trim()" }
  - vars: { x: c }
    providerOutput: d
  - vars: { x: d }
    assert: [{ type: contains, value: d }]
`)
    const shown = leftOut.slice(1).map((line) => line.replace(/^promptfooconfig\.yaml:/, ""))
    expect(shown).toEqual([
      "3:115: config.strange: it is not a parameter of a request here",
      "20:16: test: the whole test: 'transform' decides which answers it is about",
      "22:5: test: the whole test: 'providerOutput' decides which answers it is about",
      "9:9: javascript: it runs code of yours; use the metric 'remote' or a harness",
      "10:9: contains: 'transform' runs code on the answer, which is not imported",
      expect.stringMatching(/^11:9: regex: .*can't be searched for/),
      "12:9: similar: it needs embeddings; write 'llm-rubric' in its place, which asks a judge",
      "13:9: llm-rubric: no model judges it; give --judge URL#name",
      expect.stringMatching(/^14:9: contains: its template can't be rendered/),
      "15:9: contains: it has no value",
      "16:9: equals: its value is a program, which is not run",
      "17:9: new-thing: there is no metric for it",
      "18:9: contains: its template can't be rendered: it reads a variable of the environment; write its value.",
    ])
  })

  it.each<[string, RegExp]>([
    ["[1]\n", /promptfooconfig\.yaml:1:1: A configuration of promptfoo is an object/],
    [
      "model: http://127.0.0.1:9000/v1#echo\ndata: rows.csv\nchecks: [em]\n",
      /promptfooconfig\.yaml:1:1: This is not a configuration of promptfoo, .* It has 'model', 'data', 'checks'\./,
    ],
    ["prompts: [hello]\n", /No provider names a model with chat completions/],
    [`${LOCAL}prompts: [file://gone.txt]\n`, /promptfooconfig\.yaml:4:11: 'gone\.txt' names no file/],
    [`${LOCAL}prompts: [file://prompt.py]\n`, /There is no prompt that can be imported/],
    [
      `${LOCAL}${PROMPTS}defaultTest: { options: { transform: "x" } }\n${TESTS}`,
      /promptfooconfig\.yaml:5:27: 'transform' in 'defaultTest' changes the answers or the verdicts/,
    ],
    [`${LOCAL}${PROMPTS}tests: [{ $ref: "#/gone" }]\n`, /'#\/gone' names no value of this file/],
    [`${LOCAL}${PROMPTS}loop: { $ref: "#/loop" }\ntests: [{ $ref: "#/loop" }]\n`, /can't be followed/],
    [
      `${LOCAL}${PROMPTS}tests: [{ vars: { x: [${'"a",'.repeat(101)}], y: [${'"a",'.repeat(101)}] } }]\n`,
      /more than 10000 combinations/,
    ],
  ])("%j is refused", async (text, message) => {
    await expect(importText(text)).rejects.toThrow(message)
  })
})

it("files that exist are not replaced unless it is forced", async () => {
  const { files } = await importText(LOCAL + PROMPTS + TESTS)
  await writeImportedFiles(files, false)
  await expect(writeImportedFiles(files, false)).rejects.toMatchObject({ code: "output_exists" })
  await writeImportedFiles(files, true)
  expect(existsSync(join(folder.path, "evaluation.yaml.part"))).toBe(false)
})

/** Returns the text of a file that is written at once. */
function textOf(text: unknown): string {
  if (typeof text === "string") return text
  throw new Error("The file is not one text.")
}
