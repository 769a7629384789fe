import { readAgreed } from "@assay/metrics"
import type { ApiEndpoint, RowRequest } from "@assay/schemas"
import { fieldsOf, isJsonObject } from "@assay/json"
import type { StepBudget } from "@assay/templates"
import type { ScoringContext } from "../../scoring-context.ts"
import type { RowTemplate, RowValues } from "../../templates/row-template.ts"
import type { MetricOutcome, ScoreOptions } from "../bound-metric.ts"
import { judgeModel, judgeRequest, type JudgeReply, openMetricJudge } from "../judge/open-metric-judge.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { pairwiseQuestion } from "./pairwise-question.ts"

const WINNERS = ["a", "b", "tie"] as const
const FORMAT = {
  type: "json_schema",
  json_schema: {
    name: "pairwise",
    schema: {
      type: "object",
      properties: { winner: { type: "string", enum: ["A", "B", "tie"] } },
      required: ["winner"],
    },
  },
}

/** The choice of a judge between two answers, after it saw them in both orders. */
export interface PairVerdict {
  /** 1 if the first answer won in both orders, 0 if the second did, 0.5 for a tie; NaN if an answer of the judge is unreadable. */
  readonly score: number
  /** Whether the orders contradict each other, which is a tie. */
  readonly isContradictory: boolean
  /** Number of questions to the judge: 0 for equal texts, which are a tie. */
  readonly questions: number
  /** The question in its first order. Pairs with equal questions are one pair, however often they come. */
  readonly question: string
  readonly unreadable?: MetricOutcome["unreadable"]
}

/** Compares two answers to a row. @throws what the client of the judge throws */
export type ComparePair = (
  values: RowValues,
  pair: readonly [first: string, second: string],
  options: ScoreOptions,
) => Promise<PairVerdict>

/** A judge of pairs, whose parameters are valid. */
export interface PairwiseJudge {
  readonly endpoint: ApiEndpoint
  readonly templates: readonly RowTemplate[]
  /** Returns the two requests about a pair, without sending them. */
  readonly requests: (values: RowValues, pair: readonly [string, string], steps: StepBudget) => readonly RowRequest[]
  readonly open: (context: Pick<ScoringContext, "models">) => Promise<ComparePair>
}

/**
 * Defines the judge of pairs in `judge: {model, inference_params}`, or in `model` beside `ask`. It is asked twice, with either answer first: a judge that
 * prefers a position contradicts itself. @throws `invalid_request`, `template_error`
 */
export function definePairwiseJudge(setup: MetricSetup): PairwiseJudge {
  const { params, name, run } = setup
  const judge = judgeModel(
    ...(isJsonObject(params["judge"])
      ? ([fieldsOf(params["judge"]), `${name}.judge`] as const)
      : ([params, name] as const)),
  )
  const question = pairwiseQuestion(setup)
  const asked = { judge, format: FORMAT }
  return {
    endpoint: judge.endpoint,
    templates: question.templates,
    requests: (values, [first, second], steps) =>
      [question.render(values, [first, second], steps), question.render(values, [second, first], steps)].map((one) =>
        judgeRequest(asked, one),
      ),
    async open(context) {
      const ask = await openMetricJudge({ ...asked, run }, context)
      return async (values, [first, second], options) => {
        const inOrder = question.render(values, [first, second])
        const shown = inOrder.messages.map(({ content }) => content).join("\n")
        if (first === second) return { score: 0.5, isContradictory: false, questions: 0, question: shown }
        const replies = await Promise.all([
          ask(inOrder, options),
          ask(question.render(values, [second, first]), options),
        ])
        return { ...verdictOf(replies), questions: replies.length, question: shown }
      }
    },
  }
}

function verdictOf([inOrder, swapped]: readonly [JudgeReply, JudgeReply]): Omit<PairVerdict, "questions" | "question"> {
  const first = winnerIn(inOrder)
  const second = winnerIn(swapped)
  const failed = first.value === null ? inOrder : second.value === null ? swapped : undefined
  if (failed !== undefined) {
    const unreadable = failed.unreadable(first.value === null ? first.reason : second.reason)
    return { score: Number.NaN, isContradictory: false, unreadable }
  }
  const score = valueOf(first.value)
  const isContradictory = score !== 1 - valueOf(second.value)
  return { score: isContradictory ? 0.5 : score, isContradictory }
}

/** Returns the score of A. */
function valueOf(winner: (typeof WINNERS)[number] | null): number {
  return winner === "tie" ? 0.5 : Number(winner === "a")
}

function winnerIn(reply: JudgeReply) {
  return readAgreed(reply, ["winner"], (value) =>
    typeof value === "string" ? WINNERS.find((winner) => winner === value.trim().toLowerCase()) : undefined,
  )
}
