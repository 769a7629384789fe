import { dirname, relative, resolve } from "node:path"
import { formatJson } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { evaluationFileSchema } from "@assay/schemas/validation"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { print } from "../print.ts"
import { type Asker, openAsker } from "./ask.ts"
import { checkOfOption } from "./check-option.ts"
import { EXAMPLE_NAME, EXAMPLE_ROWS, exampleColumns } from "./example-rows.ts"
import type { InitOptions } from "./init.ts"
import { JUDGE_QUESTIONS } from "./judge-questions.ts"
import { checkOf, type Proposal, proposeColumns, templateOf } from "./propose.ts"
import { type Columns, findRowFile, readColumns } from "./read-columns.ts"
import { checkFree, type FileToWrite, writeFiles } from "./write-files.ts"
import { checkWritten, type EvaluationDraft, formatEvaluationFile } from "./written-evaluation.ts"

/** The endpoint of `assay fake-endpoint`. */
const FAKE = "http://127.0.0.1:9000/v1#echo"
const FAKE_NOTE =
  "No model yet: this is `assay fake-endpoint`, which runs in another terminal and has no model. Write URL#NAME of yours."

/** Asks a question, or returns its proposal if nothing is asked. */
type Ask = Asker["ask"]

/** Runs `assay init evaluation`: writes an evaluation file in the short form and its schema, and offers to run it. */
export async function initEvaluation(context: Context, options: InitOptions): Promise<ExitCode | void> {
  const { yes = false, json = false, force = false } = options
  const out = resolve(context.cwd, options.out ?? "evaluation.yaml")
  checkFree(context, [out], force)
  using asker = yes || json ? undefined : openAsker(context)
  const ask: Ask = asker?.ask ?? ((_question, proposal = "") => Promise.resolve(proposal))
  const name = relative(context.cwd, out)
  const rows = await chooseRows(context, options, ask)
  const draft = await draftEvaluation({ options, rows, out, context }, ask)
  const text = formatEvaluationFile(draft, name)
  checkWritten(text, name, options.prompt)
  const files = [
    { path: out, text },
    { path: resolve(dirname(out), "evaluation.schema.json"), text: formatJson(evaluationFileSchema()) },
    ...rows.files,
  ]
  const written = await writeFiles(context, files)
  await print(context, options, { written }, () => `wrote ${written.map(printable).join(", ")}\n\n${text}\n`)
  const runs = options.run ?? (asker !== undefined && /^y/i.test(await asker.ask("Run it now? y or n", "y")))
  if (!runs) return print(context, { json: false }, null, () => (json ? "" : `assay eval run ${printable(name)}\n`))
  return runWritten(context, out, draft)
}

async function runWritten(context: Context, out: string, { model }: EvaluationDraft): Promise<ExitCode> {
  const { runEvaluation } = await import("../eval/run-evaluation.ts")
  // The user named the host of the model just now.
  const url = typeof model === "object" && "url" in model ? URL.parse(String(model.url)) : null
  return runEvaluation(context, out, { dataDir: "./.assay-eval", ...(url === null ? {} : { keyHost: [url.host] }) })
}

interface ChosenRows {
  /** As the user named them. */
  readonly data: string
  readonly columns: Columns
  /** The example rows, for users who have none yet. */
  readonly files: readonly FileToWrite[]
}

/** Chooses the rows: those that are named, the only ones that are there, or an example. */
async function chooseRows(context: Context, { data }: InitOptions, ask: Ask): Promise<ChosenRows> {
  const found = data ?? (await findRowFile(context.cwd)) ?? EXAMPLE_NAME
  const chosen = data ?? (await ask(`File with rows (${EXAMPLE_NAME} is written if it does not exist)`, found))
  if (chosen === EXAMPLE_NAME && data === undefined && found === EXAMPLE_NAME) {
    const path = resolve(context.cwd, EXAMPLE_NAME)
    return { data: chosen, columns: exampleColumns(), files: [{ path, text: EXAMPLE_ROWS, isKept: true }] }
  }
  return { data: chosen, columns: await readColumns(context, chosen), files: [] }
}

interface DraftContext {
  readonly options: InitOptions
  readonly rows: ChosenRows
  /** Absolute path of the file. */
  readonly out: string
  readonly context: Context
}

async function draftEvaluation({ options, rows, out, context }: DraftContext, ask: Ask): Promise<EvaluationDraft> {
  const { columns } = rows
  const proposal = proposeColumns(columns)
  const { data, isLocal } = dataFrom(rows.data)
  const asked = await askedParts(options, proposal, ask)
  const found = proposal.expected
  const expected =
    options.check === undefined
      ? await ask("Column with the expected answer, or - for none", found ?? "-")
      : (found ?? "-")
  const checks = await chooseChecks({ options, columns, expected, model: asked.model }, ask)
  return {
    ...asked,
    data: isLocal ? relative(dirname(out), resolve(context.cwd, data)) : data,
    checks,
    gates: options.gate ?? gatesOf(checks),
    columns: [...columns.keys()].map(printable),
  }
}

/** Returns the rows as the file names them, and whether they are on this machine. */
function dataFrom(data: string): { readonly data: string; readonly isLocal: boolean } {
  return { data, isLocal: /^[./~]/.test(data) || !/[:#]/.test(data) }
}

type AskedParts = Pick<EvaluationDraft, "model" | "output" | "prompt" | "note">

/** Chooses what is asked: a model with a prompt, or the answers that rows have. */
async function askedParts(options: InitOptions, { question, output }: Proposal, ask: Ask): Promise<AskedParts> {
  if (options.output !== undefined) return { output: options.output }
  const given =
    options.model ??
    (await ask("Model as URL#NAME, or - for answers that the rows have", output === undefined ? "" : "-"))
  if (given === "-") {
    const column = await ask("Column with the answers", output)
    return { output: templateOf(column) }
  }
  const model = given === "" ? FAKE : given
  const key = options.key ?? (given === "" ? "-" : await ask("Variable or secret with its key, or - for none", "-"))
  const prompt = options.prompt ?? (await ask("Prompt", question === undefined ? "" : templateOf(question)))
  return {
    model: key === "-" ? model : withKey(model, key),
    ...(given === "" ? { note: FAKE_NOTE } : {}),
    // Rows with messages or prompts are sent as they are.
    ...(prompt === "" || ["{{ messages }}", "{{ prompt }}"].includes(prompt) ? {} : { prompt }),
  }
}

function withKey(model: string, key: string): object {
  const at = model.indexOf("#")
  return { url: model.slice(0, at), model: model.slice(at + 1), key }
}

interface ChecksToChoose {
  readonly options: InitOptions
  readonly columns: Columns
  /** The column with the expected answer; `-` for none. */
  readonly expected: string
  readonly model: EvaluationDraft["model"]
}

async function chooseChecks(
  { options, columns, expected, model }: ChecksToChoose,
  ask: Ask,
): Promise<readonly unknown[]> {
  const template = expected === "-" ? undefined : templateOf(expected)
  const fitting = template === undefined ? [] : [{ [checkOf(columns.get(expected))]: template }]
  const proposed = [...fitting, ...(model === undefined ? [] : ["latency < 5s"])]
  const names = options.check ?? (await questionsOf(ask))
  const needsJudge = names.some((name) => Object.hasOwn(JUDGE_QUESTIONS, name))
  const judge = needsJudge
    ? (options.judge ?? (await ask("Model that judges, as URL#NAME", plainModel(model))))
    : undefined
  const own = names.map((name) => {
    return checkOfOption(name, { expected: template, judge: judge === "" || judge === undefined ? model : judge })
  })
  const checks = options.check === undefined ? [...proposed, ...own] : own
  // A file needs a check, and an answer that is there has at least one character.
  return checks.length === 0 ? [{ matches: "." }] : checks
}

async function questionsOf(ask: Ask): Promise<readonly string[]> {
  const list = Object.entries(JUDGE_QUESTIONS).map(([name, { about }]) => `  ${name.padEnd(14)} the answer ${about}`)
  const question = `Questions for a judge:\n${list.join("\n")}\nNames, separated by commas, or - for none`
  const answer = await ask(question, "-")
  return answer === "-" ? [] : answer.split(/[,\s]+/).filter((name) => name !== "")
}

function plainModel(model: EvaluationDraft["model"]): string | undefined {
  return typeof model === "string" ? model : undefined
}

/** Returns a gate on the first check that compares with an expected answer. */
function gatesOf([first]: readonly unknown[]): readonly string[] {
  const [name] = typeof first === "object" && first !== null ? Object.keys(first) : []
  return name === undefined || name === "name" ? [] : [`${name} >= 0.5`]
}
