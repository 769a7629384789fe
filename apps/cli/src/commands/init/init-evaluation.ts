import { dirname, relative, resolve } from "node:path"
import { formatJson } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { type EvaluationDraft, evaluationDrafts, evaluationFileSchema, type Proposal } from "@assay/evaluation-files"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { writeText } from "../../output/write-text.ts"
import { print } from "../print.ts"
import { openAsker, readYesNo, silentAsker } from "./ask.ts"
import { chooseChecks } from "./choose-checks.ts"
import { chooseRows } from "./choose-rows.ts"
import { type DraftContext, type DraftedModel, draftModel, portOption } from "./draft-model.ts"
import type { InitOptions } from "./init.ts"
import { checkFree, writeFiles } from "./write-files.ts"
import { EVALUATION_FILE } from "../../evaluation-file.ts"

/** Runs `assay init evaluation`: writes an evaluation file in the short form and its schema, and offers to run it. */
export async function initEvaluation(context: Context, options: InitOptions): Promise<ExitCode | void> {
  const { yes = false, json = false, force = false } = options
  const out = resolve(context.cwd, options.out ?? EVALUATION_FILE)
  checkFree(context, [out], force)
  using asker = yes || json ? silentAsker() : openAsker(context)
  await using held = new AsyncDisposableStack()
  const name = relative(context.cwd, out)
  const rows = await chooseRows(context, options, asker)
  const { fake, ...draft } = await draftEvaluation({ options, rows, out, context, asker, held })
  const text = evaluationDrafts.format(draft, name)
  evaluationDrafts.checkWritten(text, name, options.prompt)
  const files = [
    { path: out, text },
    { path: resolve(dirname(out), "evaluation.schema.json"), text: formatJson(evaluationFileSchema()) },
    ...rows.files,
  ]
  const written = await writeFiles(context, files)
  await print(context, options, { written }, () => `wrote ${written.map(printable).join(", ")}\n\n${text}\n`)
  const question = `Run it now${fake === undefined ? "" : ", with the fake endpoint, which repeats the prompt"}? y or n`
  const runs = options.run ?? (asker.isInteractive && (await asker.ask(question, "y", readYesNo)))
  // Awaited, because the fake endpoint ends when this function returns.
  if (runs) return await runWritten(context, out, draft, fake)
  const start = fake === undefined ? "" : `assay fake-endpoint${portOption(fake.url)}\n`
  return print(context, { json: false }, null, () => (json ? "" : `${start}assay eval run ${printable(name)}\n`))
}

async function runWritten(
  context: Context,
  out: string,
  { model }: EvaluationDraft,
  fake: DraftedModel["fake"],
): Promise<ExitCode> {
  const { runEvaluation } = await import("../eval/run-evaluation.ts")
  // The user named the host of the model just now.
  const url = typeof model === "object" && "url" in model ? URL.parse(String(model.url)) : null
  const options = { dataDir: "./.assay-eval", ...(url === null ? {} : { keyHost: [url.host] }) }
  if (fake === undefined) return runEvaluation(context, out, options)
  await writeText(
    context.stderr,
    `the fake endpoint serves ${fake.url}: it has no model and repeats the prompt, so scores mean nothing yet\n`,
  )
  // A server could not reach an endpoint of this machine.
  const code = await runEvaluation(context, out, { ...options, local: true })
  if (fake.isOwn) {
    const again = `assay fake-endpoint${portOption(fake.url)}`
    await writeText(context.stderr, `the fake endpoint ends now; \`${again}\` starts it again\n`)
  }
  return code
}

async function draftEvaluation(given: DraftContext): Promise<EvaluationDraft & DraftedModel> {
  const { options, rows, out, context, asker } = given
  const { columns } = rows
  const proposal = evaluationDrafts.proposeColumns(columns)
  if (proposal.guessed.length > 0 && options.prompt === undefined) await sayGuess(context, options, proposal)
  const asked = await draftModel(given, proposal)
  const proposedJudge = asked.fake === undefined ? undefined : `${asked.fake.url}#small-judge`
  const checks = await chooseChecks({ context, options, columns, proposal, model: asked.model, proposedJudge }, asker)
  const isLocal = /^[./~]/.test(rows.data) || !/[:#]/.test(rows.data)
  return {
    ...asked,
    data: isLocal ? relative(dirname(out), resolve(context.cwd, rows.data)) : rows.data,
    checks,
    // The fake endpoint repeats the prompt, so a gate over rows of the user fails whatever they are. Those of the example have the answers.
    gates: options.gate ?? (asked.fake !== undefined && rows.files.length === 0 ? [] : gatesOf(checks)),
    columns: [...columns.keys()].map(printable),
  }
}

/** Says which columns were chosen by their values. */
async function sayGuess(
  { stderr }: Context,
  { json = false }: InitOptions,
  { question, expected, guessed }: Proposal,
): Promise<void> {
  if (json) return
  const parts = [
    ...(question === undefined || !guessed.includes(question)
      ? []
      : [`'${printable(question)}' has the longest texts, so it is proposed as what is asked`]),
    ...(expected === undefined || !guessed.includes(expected)
      ? []
      : [`'${printable(expected)}' has the shortest, so it is proposed as the expected answer`]),
  ]
  await writeText(stderr, `no name of a column says what it is for: ${parts.join("; ")}\n`)
}

/** Returns a gate on the first check that compares with an expected answer. */
function gatesOf([first]: readonly unknown[]): readonly string[] {
  const [name] = typeof first === "object" && first !== null ? Object.keys(first) : []
  return name === undefined || name === "name" ? [] : [`${name} >= 0.5`]
}
