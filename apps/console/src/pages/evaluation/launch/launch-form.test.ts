import { expect, it } from "vitest"
import { datasetsOf } from "./datasets-of.ts"
import { formOfContent } from "./form-of-content.ts"
import { formatCommand } from "./format-command.ts"
import { contentOfForm, FIRST_FORM } from "./launch-form.ts"
import { readLaunchText } from "./read-launch-text.ts"

it("a form becomes the definition of a job, with limits and a secret if they are given", () => {
  const body = contentOfForm({ ...FIRST_FORM, secret: "default/key", limit: "20", metrics: ["equals", "f1"] })
  expect(body.target).toEqual({
    type: "model",
    model: {
      api_endpoint: { url: "http://127.0.0.1:9000/v1", model_id: "echo", api_key_secret: "default/key" },
    },
  })
  expect(body.config).toMatchObject({
    params: { limit_samples: 20 },
    tasks: {
      answers: {
        dataset: { files_url: "assay://datasets/default/questions/rows.jsonl" },
        metrics: {
          equals: {
            type: "string-check",
            params: { check: ["{{ sample.output_text }}", "equals", "{{ item.answer }}"] },
          },
          f1: { type: "f1", params: { ground_truth: "{{ item.answer }}" } },
        },
      },
    },
  })
})

it("the datasets of a definition are found with the smallest limit and the repeats", () => {
  const tasks = {
    one: {
      dataset: { files_url: "assay://datasets/ws/set/a/b.csv", limit: 50 },
      params: { limit_samples: 10, repeats: 3 },
    },
    two: { dataset: "ws/other" },
  }
  expect(datasetsOf({ config: { type: "custom", params: { limit_samples: 100 }, tasks } })).toEqual([
    { workspace: "ws", fileset: "set", path: "a/b.csv", limit: 10, repeats: 3 },
  ])
  expect(datasetsOf({})).toEqual([])
})

it.each([
  { ...FIRST_FORM, secret: "default/key", limit: "20", parallelism: "2", metrics: ["equals", "f1"] as const },
  { ...FIRST_FORM, kind: "outputs" as const, reference: "my.answer", dataset: "ws/set", description: "a: b #c" },
])("a form is written as YAML and read again without a difference", async (form) => {
  const document = { content: contentOfForm(form), body: contentOfForm(form), lineOf: () => undefined }
  const command = await formatCommand(document, undefined)
  const { content, body } = await readLaunchText(command.split("\n").slice(1, -3).join("\n"))
  expect(formOfContent(content).others).toEqual([])
  expect(contentOfForm(formOfContent(content).form)).toEqual(contentOfForm(form))
  expect(body).toEqual(contentOfForm(form))
})

it("a file with more than the form has fields for names what would be lost", () => {
  const content = contentOfForm(FIRST_FORM)
  const tasks = { ...(content.config as { tasks: object }).tasks, more: { type: "data" } }
  const config = { type: "custom", params: { repeats: 2, limit_samples: 5 }, tasks } as const
  const { form, others } = formOfContent({ ...content, config, gates: ["answers.contains >= 0.5"] })
  expect(others).toEqual(["config.params.repeats", "config.tasks.more", "gates"])
  expect(form.limit).toBe("5")
})

const TEXT = `# nightly
target: {type: model, model: {api_endpoint: {url: "http://h/v1", model_id: m}}}
config:
  type: custom
  tasks:
    a.b:
      type: data
      metrics:
        m: {type: f1}
output: ./here
gates: ["a.b.m >= 0.5"]
`

it("a file has the lines of what checks name, and is sent without what only the command line uses", async () => {
  const { body, lineOf } = await readLaunchText(TEXT)
  expect(Object.keys(body).toSorted()).toEqual(["config", "namespace", "target"])
  const locations = [
    "config.tasks.a.b.dataset",
    "tasks.a.b.metrics.m.type: 'nope'",
    "target.model",
    "config.tasks.a",
    "rows 1",
  ]
  expect(locations.map(lineOf)).toEqual([6, 9, 2, 5, undefined])
})

const SHORT = `model: {url: "http://h/v1", model: m}
data: default/rows#a.csv
prompt: "{{ q }}"
checks:
  - equals: "{{ a }}"
gates: [equals >= 0.8]
`

it("a file in the short form is sent in the long form, and has the lines of what checks name", async () => {
  const { body, lineOf } = await readLaunchText(SHORT)
  expect(body).toMatchObject({
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "m" } } },
    config: { tasks: { answers: { dataset: { files_url: "default/rows#a.csv" } } } },
  })
  const locations = ["config.tasks.answers.dataset", "tasks.answers.metrics.equals.params", "target.model"]
  expect(locations.map(lineOf)).toEqual([2, 5, 1])
  await expect(readLaunchText(SHORT.replace("equals: ", "equal: "))).rejects.toMatchObject({
    code: "invalid_request",
    context: { line: 5 },
    message: expect.stringContaining("did you mean 'equals'"),
  })
  await expect(
    readLaunchText(SHORT.replace("model: {", "models: [{").replace("m}", "m}, http://h/v1#n]")),
  ).rejects.toThrow(
    "describes 2 jobs, one for each model and prompt, and this page launches one: save it and run `assay eval launch FILE`",
  )
  const several = readLaunchText(SHORT.replace("prompt:", "promt:").replace("equals >= 0.8", "equals > 80"))
  await expect(several).rejects.toMatchObject({
    context: { line: 3 },
    message: expect.stringMatching(
      /^The file has 2 faults\. line 3, column 1: 'promt': .* line 6, column 9: 'gates\.0': /u,
    ),
  })
  await expect(readLaunchText(SHORT.replace('"{{ q }}"', "./p.txt"))).rejects.toThrow("which only the command reads")
})

it.each([
  ["target: {", 1, "This is not YAML: line 1, "],
  [TEXT.replace("custom", "costum"), 4, "line 4, column 3: 'config.type': expected one of custom, "],
  [`${TEXT}gate: 1\n`, 12, "line 12, column 1: 'gate': there is no such field"],
])("%j is refused at its line", async (text, line, message) => {
  await expect(readLaunchText(text)).rejects.toMatchObject({
    code: "invalid_request",
    context: { line },
    message: expect.stringContaining(message),
  })
})

it("no line of a copied file ends the document of the shell early", async () => {
  const document = await readLaunchText(TEXT)
  const command = await formatCommand(document, `${TEXT}YAML\nrm -rf ~\n`)
  expect(command).toMatch(
    /^cat > evaluation\.yaml <<'YAML_'\n# nightly\n[^]*\nYAML\nrm -rf ~\nYAML_\nassay eval launch /u,
  )
})
