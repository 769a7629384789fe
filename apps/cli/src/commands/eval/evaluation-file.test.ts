import { verifies } from "@assay/testkit"
import { afterAll, describe, expect, it } from "vitest"
import { Readable } from "node:stream"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"
import { readEvaluationFile } from "@assay/local"
import { parseYaml } from "@assay/validation"

const folder = makeTemporaryFolder()
folder.write("beside.csv", "a\n1\n")
afterAll(() => folder[Symbol.dispose]())

async function read(text: string, name = "eval.yaml") {
  folder.write(name, text)
  const [first] = await readEvaluationFile(name, {
    cwd: folder.path,
    home: folder.path,
    stdin: Readable.from([text]),
    signal: new AbortController().signal,
    parse: parseYaml,
  })
  return first
}

const WHOLE = `
target: {type: rows, rows: [{a: 1}]}
config: {type: custom, name: whole, tasks: {}}
gates: ["t.m.s >= 0.8"]
`

describe("an evaluation file", () => {
  it("is read as YAML or JSON, with the folder that its paths are relative to", verifies("cli.eval.run"), async () => {
    const { content, folder: base } = await read(WHOLE)
    expect(base).toBe(folder.path)
    expect(content).toMatchObject({ target: { rows: [{ a: 1 }] }, config: { name: "whole" }, gates: ["t.m.s >= 0.8"] })
    expect((await read(JSON.stringify(content), "deep/eval.json")).content).toEqual(content)
    expect((await read('target: "ns/t"\nconfig: ns/c\n')).content).toEqual({ target: "ns/t", config: "ns/c" })
  })

  it("keeps the exact text of numbers in rows", verifies("contents.rows.numbers"), async () => {
    const rows = '[{"id":1234567890123456789,"price":1.50,"list":[1.0],"n":1}]'
    const yaml = `target: {type: rows, rows: ${rows}}\nconfig: {type: custom, name: whole, tasks: {}, params: {max_failed_share: 0.10}}\n`
    const { content } = await read(yaml)
    expect(JSON.stringify(content)).toContain(`"rows":${rows}`)
    expect(content.config).toMatchObject({ params: { max_failed_share: 0.1 } })
    await expect(read(yaml.replace("1.50", "1e400"))).rejects.toThrow(
      /^eval\.yaml:1:\d+: The number 1e400 can't be kept; write it as text\.$/,
    )
  })

  it("with a user name or a password in a URL is refused, and neither is shown", verifies("urls.no-user"), async () => {
    const text = `target:\n  type: model\n  model: {api_endpoint: {url: "http://me:hunter2@h/v1", model_id: m}}\nconfig: {type: costum}\n`
    const error = await read(text).catch((error: unknown) => error)
    expect(String(error)).toMatch(
      /^AssayError: eval\.yaml:3:\d+: 'target\.model\.api_endpoint\.url': An address may not contain/,
    )
    expect(String(error)).not.toContain("hunter2")
  })

  it("is read from stdin for -, relative to the working folder", verifies("cli.stdin"), async () => {
    const signal = new AbortController().signal
    const options = { cwd: "/somewhere", home: "/home", stdin: Readable.from([WHOLE]), signal, parse: parseYaml }
    expect((await readEvaluationFile("-", options))[0]).toMatchObject({
      name: "stdin",
      folder: "/somewhere",
      path: undefined,
    })
  })

  it.each([
    ["target: {type: rows\nconfig: 1", /^eval\.yaml:2:\d+: /],
    ["target: [1, 2", /^eval\.yaml:1:\d+: /],
    [
      "- a\n- b",
      "eval.yaml:1:1: An evaluation file is an object with 'model', 'data' and 'checks', or with 'target' and 'config'.",
    ],
    ["config: {type: custom}", "eval.yaml:1:1: 'target': it is missing."],
    [
      "target: {type: rows}\nconfig:\n  type: costum\n",
      "eval.yaml:3:3: 'config.type': expected one of custom, similarity_metrics, agentic, retriever, content_safety, calibration, benchmark, not \"costum\".",
    ],
    [
      "target: ns/t\nconfig: ns/c\ntargets: 1",
      "eval.yaml:3:1: 'targets': there is no such field; the fields are target, config,",
    ],
    [
      "target: ns/t\nconfig: {type: custom, params: {repeats: many}}",
      "eval.yaml:2:33: 'config.params.repeats': expected",
    ],
    [
      "target: {type: dataset, dataset: {files_url: beside.csv}}\nconfig: ns/c",
      "write './beside.csv' for the file beside it",
    ],
    ["target: *nowhere\nconfig: ns/c", "eval.yaml"],
    ["a: &a [x, x]\nb: &b [*a, *a]\n".concat(bomb(), "target: *z\n"), "eval.yaml"],
  ])("is refused with line and column: %j", verifies("cli.eval.run"), async (text, message) => {
    const expected = typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message)
    await expect(read(text)).rejects.toMatchObject({ code: "bad_document", message: expected })
  })

  it("that does not exist is named in the error", async () => {
    const { signal } = new AbortController()
    const options = { cwd: folder.path, home: folder.path, stdin: Readable.from([]), parse: parseYaml, signal }
    await expect(readEvaluationFile("none.yaml", options)).rejects.toMatchObject({ code: "not_found" })
  })

  it.each(["beside.csv", "rows.JSONL", "rows.csv.gz"])(
    "is not '%s', whose name says that it has rows",
    async (name) => {
      const context = { remedy: "Write one for these rows:", command: ["assay", "init", "--data", name] }
      await expect(read("a\n1\n", name)).rejects.toMatchObject({ code: "bad_document", context })
    },
  )
})

/** Aliases of aliases: a few lines that would expand to gigabytes. */
function bomb(): string {
  const names = "bcdefghijklmnopqrstuvwxyz".split("")
  return names
    .slice(1)
    .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${names[at]}`).join(", ")}]\n`)
    .join("")
}
