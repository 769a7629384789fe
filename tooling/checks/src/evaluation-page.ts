import { stringify } from "yaml"

/** The parts of a JSON Schema that the page shows. */
export interface SchemaNode {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

/** The JSON Schema of evaluation files. */
export interface FileSchema {
  readonly then: SchemaNode
  readonly else: SchemaNode
}

const HEAD = `# The file of an evaluation

<!-- Written from the schema of the reader by tooling/checks/src/write-evaluation-page.ts: change the schema in packages/evaluation-files/src, then run it. -->

\`assay eval run\`, \`launch\`, \`plan\` and \`show\` read a file, as YAML or JSON. So does the console. \`assay init\` writes one, and
[First evaluation](../start/first-evaluation.md) explains it in ten minutes.

\`\`\`yaml
# yaml-language-server: $schema=./evaluation.schema.json
model: { url: http://127.0.0.1:9000/v1, model: chat, prompt_price: 0.15, completion_price: 0.60 }
data: questions.csv
prompt: "{{ question }}"
checks:
  - equals: "{{ answer }}"
  - judge: { ask: Is the answer polite?, model: http://127.0.0.1:9000/v1#small-judge }
  - latency < 2s
  - cost < 0.01
gates:
  - equals >= 0.8
  - judge >= 0.9
\`\`\`

\`assay schema evaluation > evaluation.schema.json\` writes the JSON Schema that the first line names; editors then complete keys and mark faults.
[The same schema](evaluation.schema.json) is in the package. Unknown keys are errors with line and column, and name the key that was probably meant.

The file has one of two forms. The short form is the one above. It expands to the [long form](evaluation-long-form.md), which \`assay eval show FILE\`
prints and which can say more. A file that mixes both is refused.
`

const TEMPLATES = `
Texts of prompts and checks are [Jinja templates](evaluation-long-form.md#templates) over the row: \`{{ question }}\` is the column \`question\`, and
\`{{ item.question }}\` the same, for a column with the name of something else. Checks also have \`sample\`, such as \`{{ sample.output_text }}\`.
Keys never go into the file: \`key\` names a variable or a secret.
`

const CONVERSATION = `
## Conversation

A file with \`turns\` holds a conversation with the model for each row: [conversations](../guides/conversations.md). A turn has
`

const AGENT = `
## Agent

A file with \`agent\` lets an agent of others do a whole task for each row: [agents of others](../guides/conversations.md#agents-of-others). It is a program, with
\`command\`, or an endpoint, with \`url\`.
`

const MATRIX = `
## Several models or prompts

\`\`\`yaml
models: [http://127.0.0.1:9000/v1#small, http://127.0.0.1:9000/v1#large]
prompts:
  short: "{{ question }}"
  strict: { system: Answer with one word., user: "{{ question }}" }
data: questions.csv
checks:
  - equals: "{{ answer }}"
\`\`\`

Each model with each prompt is a job of its own. \`assay eval run\` runs them one after the other and compares each with the first, so put what is in use
first. At the end, a table has all of them with their verdicts and intervals. Only gates and failed jobs count for the exit code. Results go to a folder of their own below \`--out\`, the
files of \`--junit\` and \`--summary\` have all jobs, and \`assay eval show FILE --job 2\` prints the second job. With \`--json\`, \`run\`, \`plan\` and \`launch\` print one list,
whose entries have the \`label\` of their job. The console launches one job, and refuses such a file.

## Answers that exist already

\`\`\`yaml
output: "{{ answer_given }}"
data: answers.csv
checks:
  - contains: "{{ answer }}"
\`\`\`

No model is asked. \`"{{ output }}"\` and \`"{{ response }}"\` may also be whole chat completions, whose tool calls and usage are read.
`

const JUDGE = `
The judge gets the question, then the prompt as \`user: …\` and the answer as \`assistant: …\`. Its score is called \`yes\`, the share of answers for which it says
yes, or \`score\` on a scale. [LLM judges](metrics.md#llm-judge) says how its answers are read.
`

/** Formats the documentation page of evaluation files: every key of the short form, and those at the top of the long form. */
export function formatEvaluationPage({ then: long, else: short }: FileSchema): string {
  const keys = short.properties ?? {}
  const model = memberWith(keys["model"], "url")
  const check = memberWith(keys["checks"]?.items, "judge")
  const { name, as, labels, ...checks } = check.properties ?? {}
  const beside = { properties: { ...(name && { name }), ...(as && { as }), ...(labels && { labels }) } }
  const tool = keys["tools"]?.items ?? {}
  return [
    HEAD,
    "\n## Keys\n",
    formatKeys(short),
    TEMPLATES,
    "\n## Model\n\n`URL#NAME`, or an object. The model of a judge is written in the same way.\n",
    formatKeys(model),
    "\n## Checks\n\nEach entry has one check. A metric of the long form has its type as name, with its parameters as an object: see [metrics](metrics.md).\n",
    formatChecks(checks),
    "\nBeside a check:\n",
    formatKeys(beside),
    "\nA limit is a text: `latency < 2s` (ms, s or min), `tokens < 500`, `prompt_tokens`, `completion_tokens`, or `cost < 0.01`, each with `<` or `<=`. Its\nscore `within-limit` is the share of rows that meet it.\n",
    "\n## Judge\n",
    formatKeys(memberWith(checks["judge"], "ask")),
    JUDGE,
    "\n## Limits\n",
    formatKeys(keys["limits"] ?? {}),
    CONVERSATION,
    formatKeys(itemWith(keys["turns"], "user")),
    "\nInstead of turns, `user` is a model that writes the messages:\n",
    formatKeys(keys["user"] ?? {}),
    "\nA tool has\n",
    formatKeys(tool),
    "\nAn answer of a tool has\n",
    formatKeys(tool.properties?.["answers"]?.items ?? {}),
    AGENT,
    formatKeys(keys["agent"] ?? {}),
    MATRIX,
    "\n## The long form\n\n[The long form](evaluation-long-form.md) describes targets, parameters and types of configurations.\n",
    formatKeys(long),
    "\nParameters in `config.params` and in `params` of a task:\n",
    formatKeys(memberWith(long.properties?.["config"], "tasks").properties?.["params"] ?? {}),
  ].join("")
}

function memberWith(node: SchemaNode | undefined, key: string): SchemaNode {
  const found = [node, ...(node?.anyOf ?? [])].find((one) => one?.properties !== undefined && key in one.properties)
  return found ?? {}
}

/** Returns the items of a list with a key. */
function itemWith(node: SchemaNode | undefined, key: string): SchemaNode {
  const lists = [node, ...(node?.anyOf ?? [])].flatMap((one) => one?.items ?? [])
  return lists.map((one) => memberWith(one, key)).find((one) => one.properties !== undefined) ?? {}
}

function formatKeys({ properties = {}, required = [] }: SchemaNode): string {
  const rows = Object.entries(properties).map(([key, node]) => {
    const { text, otherwise } = meaningOf(node)
    const standard = required.includes(key) ? "required" : node.default === undefined ? otherwise : textOf(node.default)
    return rowOf([`\`${key}\``, valuesOf(node), standard, text, exampleOf(key, node)])
  })
  return tableOf(["Key", "Value", "Default", "Meaning", "Example"], rows)
}

function formatChecks(checks: Readonly<Record<string, SchemaNode>>): string {
  const rows = Object.entries(checks).map(([name, node]) => {
    return rowOf([`\`${name}\``, meaningOf(node).text, codeOf(textOf(node.examples?.[0] ?? name))])
  })
  return tableOf(["Check", "What it measures", "Example"], rows)
}

/** Splits the sentence about the default from a description. */
function meaningOf({ description = "" }: SchemaNode): { readonly text: string; readonly otherwise: string } {
  const [sentence, otherwise = ""] = /\s*Default:? (.*?)\.(?=\s|$)/.exec(description) ?? [""]
  return { text: description.replace(sentence, "").trim(), otherwise }
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
  object: "object",
}

function valuesOf(node: SchemaNode): string {
  const members = node.anyOf ?? [node]
  const names = members.flatMap((member) => {
    if (member.const !== undefined) return [codeOf(textOf(member.const))]
    if (member.enum !== undefined) return member.enum.map((one) => codeOf(textOf(one)))
    return [member.type ?? []]
      .flat()
      .filter((type) => type !== "null")
      .map((type) => `${WORDS[type] ?? type}${rangeOf(member)}`)
  })
  return names.length === 0 ? "any" : [...new Set(names)].join(", ")
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  const low = minimum ?? exclusiveMinimum
  // A range of all numbers does not help a reader.
  if (low === undefined || low < -1e9) return ""
  const from = exclusiveMinimum === undefined ? `from ${low}` : `above ${low}`
  return maximum === undefined || maximum > 1e9 ? ` ${from}` : ` ${from} to ${maximum}`
}

function exampleOf(key: string, { examples = [], default: standard, type, anyOf }: SchemaNode): string {
  const [example = standard] = examples
  if (example === undefined) {
    const first = [anyOf?.[0]?.type ?? type].flat()[0]
    const shown = { integer: "10", number: "0.5", boolean: "true", object: "{…}", array: "[…]" }[String(first)]
    return codeOf(`${key}: ${shown ?? "…"}`)
  }
  if (typeof example !== "string") return codeOf(`${key}: ${JSON.stringify(example)}`)
  if (/^[[{]|^- /.test(example) && !example.startsWith("{{"))
    return codeOf(`${key}: ${example.replace(/^- (.*)$/, "[{ $1 }]")}`)
  return codeOf(stringify({ [key]: example }).trim())
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

function codeOf(text: string): string {
  return `\`${text}\``
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`
}

function tableOf(columns: readonly string[], rows: readonly string[]): string {
  return `\n${[rowOf(columns), rowOf(columns.map(() => "---")), ...rows].join("\n")}\n`
}
