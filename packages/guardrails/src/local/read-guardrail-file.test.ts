import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { readGuardrailFile, type GuardrailFiles } from "./read-guardrail-file.ts"

const MODELS = { models: [{ type: "main", model: "judge" }] }
const PROMPTS = { prompts: [{ task: "self_check_input", content: "Is this fine? {{ user_input }}" }] }

const CHOICES =
  "'x.json' is not a guardrail configuration: policies.self check input.on_error: expected one of block, allow, error"

let files: GuardrailFiles
let notes: string[]
let write: (name: string, content: unknown) => void
beforeEach(() => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "assay-guardrail-"))
  notes = []
  write = (name, content) => {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true })
    writeFileSync(join(folder.path, name), typeof content === "string" ? content : JSON.stringify(content))
  }
  files = {
    cwd: folder.path,
    argument: "--config",
    readValue: async (file) => JSON.parse(readFileSync(resolve(folder.path, file), "utf8")),
    readText: async (path) => readFileSync(path, "utf8"),
    list: async (path) => {
      if (!statSync(path).isDirectory()) return undefined
      return readdirSync(path)
        .map((name) => join(path, name))
        .toSorted()
    },
    note: async (text) => {
      notes.push(text)
    },
  }
  return () => folder.remove()
})

describe("a guardrail configuration", () => {
  it("is the data in a file, or that of a whole record", async () => {
    write("data.json", MODELS)
    write("record.json", { name: "mine", data: MODELS })
    expect(await readGuardrailFile(files, "data.json")).toEqual(MODELS)
    expect(await readGuardrailFile(files, "record.json")).toEqual(MODELS)
    const ensemble = { name: "both", kind: "majority", flows: ["self check input"] }
    const chosen = { ...MODELS, policies: { "self check input": { on_error: "block" } }, ensembles: [ensemble] }
    write("chosen.json", chosen)
    expect(await readGuardrailFile(files, "chosen.json")).toEqual(chosen)
  })

  it.each([
    ["1", "'x.json' is not a guardrail configuration: it: "],
    ['{"models":1}', "'x.json' is not a guardrail configuration: models: "],
    ['{"policies":{"self check input":{"on_error":"maybe"}}}', CHOICES],
    ['{"name":"a","data":{"models":[{}]}}', "'x.json' is not a guardrail configuration: data.models.0"],
  ])("with a fault is refused with its location: %s", async (text, message) => {
    write("x.json", text)
    const expected = { code: "bad_document", message: expect.stringContaining(`--config ${message}`) }
    await expect(readGuardrailFile(files, "x.json")).rejects.toMatchObject(expected)
  })

  it("in config.yml uses the prompts of prompts.yml beside it, and says so", async () => {
    write("config.yml", MODELS)
    write("prompts.yml", PROMPTS)
    write("other.yml", MODELS)
    expect(await readGuardrailFile(files, "config.yml")).toEqual({ ...MODELS, ...PROMPTS })
    expect(notes).toEqual(["note: the prompts of prompts.yml beside config.yml are used"])
    expect(await readGuardrailFile(files, "other.yml")).toEqual(MODELS)
  })

  it("in a folder is all its YAML files together, with a warning about Colang", async () => {
    write("nemo/a.yml", { ...MODELS, ...PROMPTS })
    write("nemo/b.yaml", PROMPTS)
    write("nemo/words.co", "define bot refuse\n  no\n")
    const { prompts } = PROMPTS
    expect(await readGuardrailFile(files, "nemo")).toEqual({ ...MODELS, prompts: [...prompts, ...prompts] })
    expect(notes).toEqual([`warning: ${join("nemo", "words.co")}: Colang is not read`])
  })

  it("in a folder is refused without YAML, with a key in two files, and with Colang flows", async () => {
    write("none/readme.txt", "")
    write("twice/a.yml", { rails: {} })
    write("twice/b.yml", { rails: {} })
    write("flows/a.yml", MODELS)
    write("flows/a.co", "define flow answer\n  user asks\n")
    write("unnamed/a.yml", MODELS)
    write("unnamed/a.co", "define flow\n  user asks\n  bot refuse\n")
    const refusal = (message: string) => ({ code: "bad_document", message: expect.stringContaining(message) })
    await expect(readGuardrailFile(files, "none")).rejects.toMatchObject(refusal("'none' contains no .yml file"))
    await expect(readGuardrailFile(files, "twice")).rejects.toMatchObject(refusal("'rails' in 'b.yml' is also set"))
    await expect(readGuardrailFile(files, "flows")).rejects.toMatchObject(refusal("contains Colang flows"))
    await expect(readGuardrailFile(files, "unnamed")).rejects.toMatchObject(refusal("contains Colang flows"))
  })
})
