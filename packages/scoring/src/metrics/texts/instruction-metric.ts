import { parseJsonExactly } from "@assay/json"
import { createRatio } from "@assay/metrics"
import { AssayError } from "@assay/schemas"
import type { CorpusScore, ScoreInput } from "../bound-metric.ts"
import { type DefineMetric, plainMetric, scoreValue } from "../metric-definition.ts"
import { optionalTemplate } from "../metric-templates.ts"
import { candidateText } from "./compared-texts.ts"

const IDS = "instruction_id_list"
const KWARGS = "kwargs"
const PROMPT = "prompt_level_"
const INSTRUCTION = "inst_level_"

/**
 * `ifeval`: whether the answer follows all instructions of its row (`prompt_level_…`), and which share of them (`inst_level_…`), strictly and
 * loosely, as lm-evaluation-harness decides. Over all rows, `inst_level_…` is the share of all instructions. The row has them under
 * `instruction_id_list` and `kwargs`; parameters of these names are templates that replace them.
 */
export const instructionMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const lists = [IDS, KWARGS].map((name) => ({ name, template: optionalTemplate(setup, [name]) }))
  const listsOf = (input: ScoreInput) =>
    lists.map(({ name, template }) =>
      listIn(template === undefined ? input.item[name] : template.evaluate(input), name),
    )
  const scores = [`${PROMPT}strict_acc`, `${INSTRUCTION}strict_acc`, `${PROMPT}loose_acc`, `${INSTRUCTION}loose_acc`]
  return plainMetric(setup, {
    scores,
    ranges: Object.fromEntries(scores.map((score) => [score, [0, 1] as const])),
    templates: [candidate.template, ...lists.flatMap(({ template }) => template ?? [])],
    fields: lists.flatMap(({ name, template }) => (template === undefined ? { anyOf: [name], by: setup.name } : [])),
    async score(input) {
      const [ids = [], kwargs = []] = listsOf(input)
      // Its tables of languages take longer to load than a short run.
      const { scoreInstructions } = await import("@assay/metrics")
      const found = scoreInstructions(candidate.of(input), ids, kwargs)
      return {
        scores: Object.fromEntries(
          (["strict", "loose"] as const).flatMap((how) => [
            [`${PROMPT}${how}_acc`, found[how].every(Boolean) ? 1 : 0],
            [`${INSTRUCTION}${how}_acc`, found[how].filter(Boolean).length / found[how].length],
          ]),
        ),
      }
    },
    createCorpusScores: () =>
      Object.fromEntries(
        scores
          .filter((score) => score.startsWith(INSTRUCTION))
          .map((score) => [score, shareOfInstructions(score, (input) => listsOf(input)[0]?.length ?? 0)] as const),
      ),
  })
}

/** Creates the share of all instructions that were followed, where each instruction of a row counts. */
function shareOfInstructions(score: string, count: (input: ScoreInput) => number): CorpusScore {
  const ratio = createRatio()
  return {
    add(input, scores, unit) {
      const all = count(input)
      ratio.add(Math.round(Number(scores[score]) * all), all, unit)
    },
    value: () => scoreValue(ratio.result().value),
    interval: () => ratio.result().interval,
  }
}

/** Returns the list of a row. It may be JSON text, as in CSV. @throws `rows_invalid` */
function listIn(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  const read = typeof value === "string" ? parsed(value) : undefined
  if (Array.isArray(read)) return read
  throw new AssayError(
    "rows_invalid",
    `'${name}' of the row is not a list; rows of IFEval have '${IDS}' and '${KWARGS}'.`,
  )
}

function parsed(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}
