import { nearestNames, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import type { Asker } from "./ask.ts"
import { type Columns, type EvaluationDraft, evaluationDrafts, type Proposal } from "@assay/evaluation-files"
import { checkOfOption } from "./check-option.ts"
import { readAnsweringModel } from "./choose-model.ts"
import type { InitOptions } from "./init.ts"
import { JUDGE_QUESTIONS, REFERENCE } from "./judge-questions.ts"

export interface ChecksToChoose {
  readonly context: Context
  readonly options: InitOptions
  readonly columns: Columns
  readonly proposal: Proposal
  readonly model: EvaluationDraft["model"]
  /** The judge that is proposed, as URL#NAME. */
  readonly proposedJudge: string | undefined
}

/** Chooses the checks: those of the options, or what fits the expected answers, a limit of time, and questions for a judge. */
export async function chooseChecks(chosen: ChecksToChoose, asker: Asker): Promise<readonly unknown[]> {
  const { options, columns, proposal, model } = chosen
  const found = proposal.expected
  const expected =
    options.check === undefined
      ? await asker.ask("Column with the expected answer, or - for none", found ?? "-", (answer) =>
          answer === "-" ? undefined : evaluationDrafts.readColumn(answer, columns),
        )
      : found
  const template = expected === undefined ? undefined : evaluationDrafts.templateOf(expected)
  const fitting =
    expected === undefined || template === undefined
      ? []
      : [{ [evaluationDrafts.checkOf(columns.get(expected))]: template }]
  const proposed = [...fitting, ...(model === undefined ? [] : ["latency < 5s"])]
  const names = options.check ?? (await questionsOf(template, asker))
  const needsJudge = names.some((name) => Object.hasOwn(JUDGE_QUESTIONS, name))
  const judge = needsJudge ? await judgeOf(chosen, asker) : undefined
  const own = names.map((name) => checkOfOption(name, { expected: template, judge }))
  const checks = options.check === undefined ? [...proposed, ...own] : own
  evaluationDrafts.checkTemplatesIn(checks, columns)
  // A file needs a check, and an answer that is there has at least one character.
  return checks.length === 0 ? [{ matches: "." }] : checks
}

function questionsOf(expected: string | undefined, asker: Asker): Promise<readonly string[]> {
  const list = Object.entries(JUDGE_QUESTIONS).map(([name, { about }]) => `  ${name.padEnd(14)} the answer ${about}`)
  const question = `Questions for a judge:\n${list.join("\n")}\nNames, separated by commas, or - for none`
  return asker.ask(question, "-", (answer) => {
    const names = answer === "-" ? [] : answer.split(/[,\s]+/).filter((name) => name !== "")
    for (const name of names) checkQuestion(name, expected)
    return names
  })
}

function checkQuestion(name: string, expected: string | undefined): void {
  const known = Object.keys(JUDGE_QUESTIONS)
  const question = Object.hasOwn(JUDGE_QUESTIONS, name) ? JUDGE_QUESTIONS[name] : undefined
  if (question === undefined) {
    const near = nearestNames(name, known, 1).map((one) => ` Did you mean '${one}'?`)
    const message = `'${printable(name)}' is not a question for a judge: write some of ${known.join(", ")}, or -.${near.join("")}`
    throw new AssayError("bad_usage", message)
  }
  if (question.ask.includes(REFERENCE) && expected === undefined)
    throw new AssayError("bad_usage", `'${name}' compares with an expected answer, and you named no column with one.`)
}

async function judgeOf(chosen: ChecksToChoose, asker: Asker): Promise<EvaluationDraft["model"]> {
  const { context, options, model, proposedJudge } = chosen
  if (options.judge !== undefined) {
    evaluationDrafts.readModel(options.judge)
    return options.judge
  }
  const plain = proposedJudge ?? (typeof model === "string" ? model : undefined)
  const isSame = model !== undefined && plain === undefined
  const question = `Model that judges, as URL#NAME${isSame ? ", or - for the model that is asked" : ""}`
  return asker.ask(question, isSame ? "-" : (plain ?? ""), async (answer) => {
    if (isSame && answer === "-") return model
    if (answer === "" && !asker.isInteractive) return undefined
    if (answer !== plain) await readAnsweringModel(context, asker, answer)
    return answer
  })
}
