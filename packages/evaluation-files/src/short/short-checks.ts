import { Type, type TObject, type TSchema } from "@sinclair/typebox"
import { AnyName } from "@assay/schemas"

/** How the value of a check becomes the parameters of its metric. */
export type CheckKind =
  /** An expected text, number or list, for one parameter. */
  | { readonly of: "expected"; readonly param: "ground_truth" | "references" | "tool_calls_ground_truth" }
  /** An expected text, compared by an operator of `string-check`. */
  | { readonly of: "text"; readonly operator: string }
  | { readonly of: "number" }
  | { readonly of: "schema" }
  | { readonly of: "judge" }
  | { readonly of: "pairwise" }
  /** Parameters of the metric; without them, its name alone is a check. */
  | { readonly of: "amount" }
  | { readonly of: "params" }
  /** The text that a task of this type asks about. Such a task has no other checks. */
  | { readonly of: "task"; readonly param: "context" | "text" }

/** A short name of a metric. */
export interface ShortCheck {
  /** The type of the metric. */
  readonly type: string
  readonly kind: CheckKind
  /** A sentence about it. */
  readonly about: string
  /** A check, as YAML. */
  readonly example: string
}

const expected = (
  type: string,
  about: string,
  param: "ground_truth" | "references" = "ground_truth",
  name = type,
): ShortCheck => ({ type, kind: { of: "expected", param }, about, example: `${name}: "{{ answer }}"` })
const text = (operator: string, about: string, example: string): ShortCheck => ({
  type: "string-check",
  kind: { of: "text", operator },
  about,
  example,
})
const params = (type: string, about: string, example: string): ShortCheck => ({
  type,
  kind: { of: "params" },
  about,
  example: `${type}: ${example}`,
})
const amount = (type: string, about: string): ShortCheck => ({ type, kind: { of: "amount" }, about, example: type })

const AGENT_JUDGE = "{ judge: { model: http://127.0.0.1:9000/v1#small-judge } }"

/** Every short name of a metric. The names of metric types are short names, too. */
export const SHORT_CHECKS: Readonly<Record<string, ShortCheck>> = {
  equals: expected(
    "accuracy",
    "The answer is the expected text, except for blanks around it.",
    "ground_truth",
    "equals",
  ),
  not_equals: text("not equals", "The answer is another text.", 'not_equals: "{{ question }}"'),
  contains: text("contains", "The answer contains the text.", 'contains: "{{ answer }}"'),
  not_contains: text("not contains", "The answer does not contain the text.", "not_contains: I am sorry"),
  starts_with: text("startswith", "The answer begins with the text.", "starts_with: Dear"),
  ends_with: text("endswith", "The answer ends with the text.", 'ends_with: "."'),
  matches: text(
    "matches",
    "The regular expression (RE2) is found in the answer.",
    String.raw`matches: '^\d{4}-\d{2}$'`,
  ),
  number: {
    type: "number-check",
    kind: { of: "number" },
    about:
      "The last number of the answer equals the expected one, or differs by at most `within` with `{ equals, within }`.",
    example: 'number: { equals: "{{ total }}", within: 0.01 }',
  },
  judge: {
    type: "llm-judge",
    kind: { of: "judge" },
    about: "A model answers a question about the answer: yes or no, or on a scale.",
    example: "judge: { ask: Is the answer polite?, model: http://127.0.0.1:9000/v1#small-judge }",
  },
  pairwise: {
    type: "pairwise",
    kind: { of: "pairwise" },
    about:
      "A model says whether the answer is better than another one: a text in `against`, or the answer of another job or results folder with `{ job }`. It sees both orders.",
    example:
      'pairwise: { ask: Which answer is more helpful?, model: http://127.0.0.1:9000/v1#small-judge, against: "{{ reference }}" }',
  },
  "exact-match": expected(
    "exact-match",
    "The same words as the expected text, without case, punctuation and articles.",
  ),
  em: expected("em", "The same as `exact-match`, with the score `em_score`."),
  accuracy: expected("accuracy", "The same as `equals`."),
  f1: expected("f1", "Overlap of words with the expected text, 0 to 1."),
  bleu: expected("bleu", "Overlap of word sequences with the references, 0 to 100.", "references"),
  rouge: expected("rouge", "Overlap with the expected text as ROUGE-1, 2, 3, L and Lsum, 0 to 1."),
  chrf: expected("chrf", "Overlap of characters with the references, 0 to 100.", "references"),
  ter: expected("ter", "Edits for each word of the references; lower is better.", "references"),
  gsm8k: expected(
    "gsm8k",
    "The answer has the expected number: after `#### ` (`strict`), and as its last one (`flexible`).",
  ),
  math: expected(
    "math",
    "The answer in its last `\\boxed{…}` is the expected one, as the MATH benchmark compares LaTeX.",
  ),
  ifeval: amount(
    "ifeval",
    "The answer follows the instructions of its row in `instruction_id_list` and `kwargs`, as IFEval checks them.",
  ),
  "code-execution": params(
    "code-execution",
    "The code of the answer passes its tests, in a sandbox with a time limit.",
    '{ prompt: "{{ prompt }}", tests: "{{ test }}", entry_point: "{{ entry_point }}", timeout: 10 }',
  ),
  "json-schema": {
    type: "json-schema",
    kind: { of: "schema" },
    about: "The answer is JSON that satisfies a JSON Schema.",
    example: "json-schema: { type: object, required: [name] }",
  },
  "tool-calling": {
    type: "tool-calling",
    kind: { of: "expected", param: "tool_calls_ground_truth" },
    about: "The answer calls the expected tools, with the expected arguments.",
    example: 'tool-calling: "{{ calls }}"',
  },
  "tool-call-ast": params(
    "tool-call-ast",
    "The answer calls possible tools, as the Berkeley Function-Calling Leaderboard decides.",
    '{ tools: "{{ tools }}", possible_answers: "{{ calls }}" }',
  ),
  "tool-call-turns": params(
    "tool-call-turns",
    "A finished conversation makes the expected calls turn by turn, as in BFCL's multi-turn categories.",
    '{ turns: "{{ ground_truth }}" }',
  ),
  "tool-call-relevance": params(
    "tool-call-relevance",
    "The answer calls no tool, where none fits; with `expected: some`, it calls one.",
    "{}",
  ),
  latency: amount("latency", "Milliseconds for each answer. `latency < 2s` is the share of rows below a limit."),
  tokens: amount("tokens", "Tokens of prompts and answers. `tokens < 500` is the share of rows below a limit."),
  state: params(
    "state",
    "The tools of a conversation left a value in its state.",
    '{ path: "$.orders.A1", equals: cancelled }',
  ),
  calls: params(
    "calls",
    "The calls of tools of a conversation, or of a turn: `exact`, `in_order`, `any_order` or `only` a list of tools, `never` a tool or `a before b`, `precision` or `recall` of a list.",
    "{ in_order: [get_order, cancel] }",
  ),
  cost: amount(
    "cost",
    "What each answer costs. `cost < 0.01` is the share of rows below a limit. Needs prices: `prompt_price` and `completion_price` of the model, or a price table.",
  ),
  "usage-limit": params(
    "usage-limit",
    "The long form of `latency < 2s`, `tokens < 500` and `cost < 0.01`.",
    "{ measure: latency_ms, less_than: 2000 }",
  ),
  checklist: params(
    "checklist",
    "Several checks of one row, with weights and a threshold.",
    '{ checks: [{ type: string-check, params: { check: ["{{ sample.output_text }}", contains, "{{ answer }}"] } }] }',
  ),
  given: params("given", "A score that the row contains already.", '{ value: "{{ rating }}" }'),
  "string-check": params(
    "string-check",
    "Any comparison of two texts.",
    '{ check: ["{{ sample.output_text | lower }}", contains, "{{ answer }}"] }',
  ),
  "number-check": params(
    "number-check",
    "Any comparison of two numbers.",
    '{ check: ["{{ sample.output_text }}", "<", "{{ total }}"] }',
  ),
  "llm-judge": params(
    "llm-judge",
    "A judge with a prompt and scores of your own.",
    "{ model: {…}, template: {…}, scores: {…} }",
  ),
  "g-eval": params(
    "g-eval",
    "A judge rates the answer by a criterion, and the score is the expectation over the probabilities of its scores.",
    "{ criteria: The answer is polite., judge: { model: http://127.0.0.1:9000/v1#small-judge } }",
  ),
  remote: params("remote", "A service of your own scores the row.", '{ url: "http://…", scores: { quality: "$.q" } }'),
  "multiple-choice": {
    type: "multiple-choice",
    kind: { of: "task", param: "context" },
    about: "How likely the model finds each choice after a text. No other check can be beside it.",
    example: 'multiple-choice: { context: "{{ sentence }}", choices: "{{ choices }}", answer: "{{ answer }}" }',
  },
  loglikelihood: {
    type: "loglikelihood",
    kind: { of: "task", param: "text" },
    about: "How likely the model finds a text. No other check can be beside it.",
    example: 'loglikelihood: "{{ text }}"',
  },
  tool_call_accuracy: params(
    "tool_call_accuracy",
    "The tools of a conversation were called with the right arguments.",
    "{}",
  ),
  agent_goal_accuracy_with_reference: params(
    "agent_goal_accuracy_with_reference",
    "The agent reached the outcome in `reference`.",
    AGENT_JUDGE,
  ),
  agent_goal_accuracy_without_reference: params(
    "agent_goal_accuracy_without_reference",
    "The agent reached the goal of the user.",
    AGENT_JUDGE,
  ),
  topic_adherence: params("topic_adherence", "The agent stayed with the allowed topics.", AGENT_JUDGE),
  answer_accuracy: params("answer_accuracy", "A judge rates the answer against `reference`.", AGENT_JUDGE),
  trajectory_evaluation: params("trajectory_evaluation", "A judge rates the steps of the agent.", AGENT_JUDGE),
  answer_relevancy: params(
    "answer_relevancy",
    "Questions that the answer would answer are like the question that was asked.",
    "{ judge: { model: http://127.0.0.1:9000/v1#small-judge }, embeddings: { model: http://127.0.0.1:9000/v1#embedder } }",
  ),
  faithfulness: params("faithfulness", "The retrieved contexts support what the answer states.", AGENT_JUDGE),
  context_precision: params("context_precision", "Useful contexts rank above others.", AGENT_JUDGE),
  context_recall: params("context_recall", "The contexts contain what the expected answer states.", AGENT_JUDGE),
}

const Params = (description: string) => Type.Record(AnyName, Type.Unknown(), { description })
/** A value that a template or a constant gives. */
const Expected = Type.Union([Type.String({ minLength: 1 }), Type.Number(), Type.Boolean()])

/** The schemas of the checks that have a judge. */
export interface JudgeSchemas {
  readonly judge: TObject
  readonly pairwise: TObject
}

/** Returns the schema of the value of a check. */
function valueSchema({ kind, about, example }: ShortCheck, judges: JudgeSchemas): TSchema {
  const options = { description: about, examples: [example] }
  const params = Params("Parameters of the metric.")
  switch (kind.of) {
    case "expected":
      return Type.Union(
        [Type.String({ minLength: 1 }), Type.Number(), Type.Boolean(), Type.Array(Expected), params],
        options,
      )
    case "task":
      return Type.Union([Type.String({ minLength: 1 }), params], options)
    case "text":
      return Type.Union([Type.String(), Type.Number(), Type.Boolean()], options)
    case "number":
      return Type.Union([Type.String({ minLength: 1 }), Type.Number(), NumberCheck], options)
    case "judge":
    case "pairwise":
      return { ...judges[kind.of], ...options }
    case "schema":
    case "params":
    case "amount":
      break
  }
  return { ...params, ...options }
}

const NumberCheck = Type.Object(
  {
    equals: Type.Union([Type.String({ minLength: 1 }), Type.Number()], { description: "The expected number." }),
    within: Type.Number({ minimum: 0, description: "The largest difference that counts as equal." }),
  },
  { additionalProperties: false },
)

/** Returns the properties of a check: one for each short name. */
export function checkProperties(judges: JudgeSchemas): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(SHORT_CHECKS).map(([name, check]) => [name, Type.Optional(valueSchema(check, judges))]),
  )
}
