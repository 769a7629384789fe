import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openMetrics, scoreRows } from "../testing/score-rows.ts"

type Row = Readonly<Record<string, unknown>>

async function scoresOf(type: string, params: Row, row: Row) {
  const plan = await openMetrics([row], { metric: { type, params } })
  const [scored] = await scoreRows(plan)
  return scored?.outcomes["metric"]?.scores
}

it.each([
  ["tokens", {}, true],
  ["latency", {}, true],
  ["cost", { prompt_price: 1, completion_price: 1 }, true],
  ["em", { ground_truth: "{{ item.ref }}" }, undefined],
])("scores of %s with %j are amounts: %s", async (type, params, isAmount) => {
  const plan = await openMetrics([{ output: "x", ref: "x" }], { metric: { type, params } })
  expect(plan.metrics[0]?.isAmount).toBe(isAmount)
  await plan.close()
})

const call = (name: string, args: string) => ({
  choices: [{ message: { tool_calls: [{ function: { name, arguments: args } }] } }],
})

it("a metric without a required parameter suggests the misspelt one", async () => {
  const plan = openMetrics([{ output: "x", ref: "x" }], {
    metric: { type: "em", params: { ground_truht: "{{ ref }}" } },
  })
  await expect(plan).rejects.toThrow(/'ground_truht' has no effect here; did you mean 'ground_truth'\?/)
})

describe("a metric over given outputs", () => {
  it.each<[string, Row, Row, Row]>([
    ["exact-match", { ground_truth: "{{ item.ref }}" }, { response: "The cat!", ref: "cat" }, { "exact-match": 1 }],
    ["em", { ground_truth: "{{item.ref}}" }, { output: "a dog", ref: "cat" }, { em_score: 0 }],
    ["em", { ground_truth: "{{ item.refs }}" }, { output: "dog", refs: ["cat", "a dog"] }, { em_score: 1 }],
    ["f1", { ground_truth: "{{ref}}" }, { output: "a b c d", ref: "b c x" }, { f1_score: 2 / 3 }],
    [
      "f1",
      { ground_truth: "{{ref}}", prediction: "{{ item.own }}" },
      { own: "b", output: "x", ref: "b" },
      { f1_score: 1 },
    ],
    [
      "string-check",
      { check: ["{{sample.output_text}}", "contains", "{{item.ref}}"] },
      { output: "It is 42.", ref: "42" },
      { "string-check": 1 },
    ],
    [
      "string-check",
      { check: ["{{sample.output_text | lower}}", "equals", "yes"] },
      { output: "YES" },
      { "string-check": 1 },
    ],
    [
      "number-check",
      { check: ["{{sample.output_text}}", "<", "{{item.n}}"] },
      { output: "about 1,234", n: 2000 },
      { "number-check": 1 },
    ],
    [
      "number-check",
      { check: ["absolute difference", "{{sample.output_text}}", "{{item.n}}", "epsilon", 0.1] },
      { output: "3.2", n: 3 },
      { "number-check": 0 },
    ],
    [
      "number-check",
      { check: ["{{sample.output_text}}", "==", 234], numbers: "compat" },
      { output: "1,234" },
      { "number-check": 1 },
    ],
    ["number-check", { check: ["{{sample.output_text}}", "==", 1] }, { output: "none" }, { "number-check": "NaN" }],
    [
      "tool-calling",
      { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
      { response: call("add", '{"a": 1}'), calls: [{ function: { name: "add", arguments: { a: 1 } } }] },
      { function_name_accuracy: 1, function_name_and_args_accuracy: 1 },
    ],
    [
      "tool-calling",
      { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
      {
        response: { choices: [{ message: { content: null, function_call: { name: "add", arguments: '{"a": 1}' } } }] },
        calls: [{ function: { name: "add", arguments: { a: 1 } } }],
      },
      { function_name_accuracy: 1, function_name_and_args_accuracy: 1 },
    ],
    [
      "tool-calling",
      { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
      { response: call("add", "{a"), calls: [{ function: { name: "add" } }] },
      { function_name_accuracy: 1, function_name_and_args_accuracy: 0 },
    ],
    [
      "tool-calling",
      { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
      { response: call("add", '{"a": 2, "a": 1}'), calls: [{ function: { name: "add", arguments: { a: 1 } } }] },
      { function_name_accuracy: 1, function_name_and_args_accuracy: 0 },
    ],
    [
      "tool-calling",
      { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
      { output: "none", calls: [] },
      { function_name_accuracy: 1, function_name_and_args_accuracy: 1 },
    ],
    [
      "tool-call-ast",
      { tools: "{{ item.tools }}", possible_answers: "{{ item.truth | tojson }}" },
      {
        response: call("add", '{"a": 1, "b": 2}'),
        tools: [{ name: "add", parameters: { properties: { a: { type: "float" }, b: { type: "integer" } } } }],
        truth: [{ add: { a: [1], b: [2, ""] } }],
      },
      { "tool-call-ast": 1 },
    ],
    [
      "tool-call-ast",
      { tools: "{{ item.tools | tojson }}", possible_answers: "{{ item.truth }}", underscore_to_dot: true },
      {
        response: call("math_add", '{"a": 1.0}'),
        tools: [{ function: { name: "math.add", parameters: { properties: { a: { type: "integer" } } } } }],
        truth: [{ "math.add": { a: [1] } }],
      },
      { "tool-call-ast": 0 },
    ],
    [
      "ter",
      { references: "{{ ref }}" },
      { output: "c d A B", ref: "a b c d e" },
      { sentence: 40, edits: 2, reference_length: 5 },
    ],
    [
      "ter",
      { references: "{{ ref }}", normalized: true, no_punct: true, asian_support: true, case_sensitive: true },
      { output: "漢字。A!", ref: "字漢 a" },
      { sentence: 100 * (2 / 3), edits: 2, reference_length: 3 },
    ],
    ["json-schema", { schema: { required: ["a"] } }, { output: '{"a": 1}' }, { "json-schema": 1 }],
    ["json-schema", { schema: { required: ["a"] } }, { output: '```json\n{"a": 1}\n```' }, { "json-schema": 0 }],
    [
      "json-schema",
      { schema: { required: ["a"] }, extract: true },
      { output: '```json\n{"a": 1}\n```' },
      { "json-schema": 1 },
    ],
    ["latency", {}, { output: "x", latency_ms: 12 }, { latency_ms: 12 }],
    [
      "tokens",
      {},
      { response: { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } } },
      { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    ],
    ["tokens", {}, { output: "x" }, { prompt_tokens: "NaN", completion_tokens: "NaN", total_tokens: "NaN" }],
    [
      "tokens",
      {},
      { response: { choices: [], usage: { total_tokens: 10 } } },
      { prompt_tokens: "NaN", completion_tokens: "NaN", total_tokens: 10 },
    ],
    ...[
      { total_tokens: 10 },
      { prompt_tokens: "7", completion_tokens: 3 },
      { prompt_tokens: -7, completion_tokens: 3 },
      null,
    ].map((usage): [string, Row, Row, Row] => [
      "cost",
      { prompt_price: 2, completion_price: 10 },
      { response: { choices: [], usage } },
      { cost: "NaN" },
    ]),
    [
      "cost",
      { prompt_price: 2, completion_price: 10 },
      { response: { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 } } },
      { cost: 0.003 },
    ],
  ])(
    "%s with %j scores a row",
    verifies(
      "metric.exact-match",
      "metric.string-check",
      "metric.number-check",
      "metric.nan",
      "metric.tool-calling",
      "metric.tool-call-ast",
      "metric.ter",
      "metric.json-schema",
    ),
    async (type, params, row, scores) => {
      expect(await scoresOf(type, params, row)).toEqual(scores)
    },
  )

  it("string-check refuses a pattern that can't be searched for before any row is asked", async () => {
    const check = ["{{ sample.output_text }}", "matches", "(["]
    await expect(openMetrics([], { metric: { type: "string-check", params: { check } } })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(
        /params\.check\.2: the pattern '\(\[' can't be searched for: missing closing/,
      ) as string,
    })
  })

  it("reads the text of a whole chat completion, also if it has parts", verifies("run.targets"), async () => {
    const content = [
      { type: "text", text: "the " },
      { type: "text", text: "cat" },
    ]
    const row = { response: { choices: [{ message: { content } }] }, output: "dog", ref: "cat" }
    expect(await scoresOf("em", { ground_truth: "{{ref}}" }, row)).toEqual({ em_score: 1 })
    const message = { response: { role: "assistant", content: "cat" }, ref: "cat" }
    expect(await scoresOf("em", { ground_truth: "{{ref}}" }, message)).toEqual({ em_score: 1 })
  })

  it("computes BLEU of each answer and of the whole corpus", verifies("metric.bleu"), async () => {
    const rows = [
      { output: "The cat sat on the mat.", refs: ["The cat sat on the mat."] },
      { output: "A dog barked loudly at night.", refs: ["The dog barked at night.", "A dog barked loudly."] },
    ]
    const plan = await openMetrics(rows, { bleu: { type: "bleu", params: { references: ["{{ item.refs }}"] } } })
    const [metric] = plan.metrics
    const corpus = metric?.createCorpusScores?.()["corpus"]
    const scored = await scoreRows(plan)
    for (const { item, sample } of scored) if (sample !== undefined) corpus?.add({ item, sample }, {})
    expect(metric?.scores).toEqual(["sentence", "corpus"])
    expect(scored[0]?.outcomes["bleu"]?.scores["sentence"]).toBeCloseTo(100)
    expect(scored[1]?.outcomes["bleu"]?.scores).not.toHaveProperty("corpus")
    expect(corpus?.value()).toBeGreaterThan(scored[1]?.outcomes["bleu"]?.scores["sentence"] as number)
    expect(corpus?.value()).toBeLessThan(100)
  })

  it("computes TER of the whole corpus from the edits of all rows", verifies("metric.ter"), async () => {
    const rows = [
      { output: "a b c d e f g h", ref: "a b c d e f g i" },
      { output: "x", ref: "y z" },
    ]
    const plan = await openMetrics(rows, { ter: { type: "ter", params: { references: "{{ ref }}" } } })
    const corpus = plan.metrics[0]?.createCorpusScores?.()["corpus"]
    for (const { item, sample, outcomes } of await scoreRows(plan)) {
      if (sample !== undefined) corpus?.add({ item, sample }, outcomes["ter"]?.scores ?? {})
    }
    expect(corpus?.value()).toBeCloseTo(30)
  })

  it("takes the options of chrF and BLEU, and refuses other values", verifies("metric.chrf"), async () => {
    const row = { output: "The cat sat, on 3,5 mats!", ref: "A cat sat on 3,5 mats." }
    const given = { references: "{{ ref }}" }
    const [plain, words] = [
      await scoresOf("chrf", given, row),
      await scoresOf("chrf", { ...given, word_order: 2 }, row),
    ]
    expect(words?.["chrf"]).not.toBe(plain?.["chrf"])
    expect(await scoresOf("bleu", { ...given, tokenize: "intl" }, row)).toMatchObject({ sentence: expect.any(Number) })
    for (const word_order of [-1, 1.5, 7, "2", true]) {
      await expect(scoresOf("chrf", { ...given, word_order }, row)).rejects.toThrow(/word_order.*from 0 to 6/)
    }
    await expect(scoresOf("bleu", { ...given, tokenize: "zh" }, row)).rejects.toThrow(/tokenize.*13a, intl/)
  })

  it("finds numbers and boxes in answers to problems", verifies("metric.mathematics"), async () => {
    const given = { ground_truth: "{{ item.ref }}" }
    const row = { output: "So it is $x = \\boxed{\\frac12}$, or #### 0.5", ref: ["1/2", "0.5"] }
    expect(await scoresOf("math", given, row)).toEqual({ math: 1 })
    expect(await scoresOf("gsm8k", given, row)).toEqual({ strict: 1, flexible: 1 })
    expect(await scoresOf("gsm8k", given, { ...row, ref: "12" })).toEqual({ strict: 0, flexible: 0 })
  })

  it("compares calls of a conversation turn by turn", verifies("metric.tool-call-turns"), async () => {
    const calls = (name: string) => [{ function: { name, arguments: "" } }]
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", tool_calls: calls("f") },
      { role: "user", content: "b" },
    ]
    const response = { role: "assistant", content: null, tool_calls: calls("g") }
    const row = { messages, response, truth: [["f()"], ["g()"]] }
    const old = [messages[0], { role: "assistant", function_call: calls("f")[0]?.function }, messages[2]]
    const given = { turns: "{{ truth }}" }
    expect(await scoresOf("tool-call-turns", given, row)).toEqual({ "tool-call-turns": 1, turns: 1 })
    expect(await scoresOf("tool-call-turns", given, { ...row, messages: old })).toEqual({
      "tool-call-turns": 1,
      turns: 1,
    })
    expect(await scoresOf("tool-call-turns", given, { ...row, response: "done" })).toEqual({
      "tool-call-turns": 0,
      turns: 0.5,
    })
    await expect(scoresOf("tool-call-turns", given, { ...row, messages: "none" })).rejects.toThrow(/list of messages/)
    expect(await scoresOf("tool-call-relevance", {}, row)).toEqual({ "tool-call-relevance": 0 })
    expect(await scoresOf("tool-call-relevance", { expected: "some" }, row)).toEqual({ "tool-call-relevance": 1 })
    await expect(scoresOf("tool-call-relevance", { expected: "all" }, row)).rejects.toThrow(/none, some/)
  })

  it("checks the instructions of a row of IFEval", verifies("metric.ifeval"), async () => {
    const kwargs = [{ num_words: 4, relation: "at least", keywords: null }, {}]
    const row = {
      output: "Sure:\n*one, two*",
      instruction_id_list: ["length_constraints:number_words", "punctuation:no_comma"],
    }
    const scores = {
      prompt_level_strict_acc: 0,
      inst_level_strict_acc: 0,
      prompt_level_loose_acc: 0,
      inst_level_loose_acc: 0.5,
    }
    expect(await scoresOf("ifeval", {}, { ...row, kwargs })).toEqual(scores)
    const texts = {
      ...row,
      instruction_id_list: JSON.stringify(row.instruction_id_list),
      kwargs: JSON.stringify(kwargs),
    }
    expect(await scoresOf("ifeval", {}, texts)).toEqual(scores)
    await expect(scoresOf("ifeval", {}, { ...row, kwargs: [{}] })).rejects.toThrow(/2 and 1/)
    await expect(scoresOf("ifeval", {}, { ...row, kwargs: "none" })).rejects.toThrow(
      /'kwargs' of the row is not a list/,
    )
  })

  it("counts each instruction over all rows of IFEval", verifies("metric.ifeval"), async () => {
    const rows = [
      { output: "a, b", instruction_id_list: ["punctuation:no_comma"], kwargs: [{}] },
      { output: '"a"', instruction_id_list: ["punctuation:no_comma", "startend:quotation"], kwargs: [{}, {}] },
    ]
    const scored = await scoreRows(await openMetrics(rows, { ifeval: { type: "ifeval" } }))
    const [metric] = (await openMetrics([], { ifeval: { type: "ifeval" } })).metrics
    const share = metric?.createCorpusScores?.()["inst_level_strict_acc"]
    for (const row of scored) share?.add(row, row.outcomes["ifeval"]?.scores ?? {})
    expect(share?.value()).toBeCloseTo(2 / 3)
  })

  it("refuses an option of TER that is neither true nor false", verifies("metric.ter"), async () => {
    const plan = openMetrics([{ output: "x", ref: "x" }], {
      metric: { type: "ter", params: { references: "{{ ref }}", no_punct: "yes" } },
    })
    await expect(plan).rejects.toThrow(/no_punct.*is not true or false/)
  })

  it("computes ROUGE with stemming under five names", verifies("metric.rouge"), async () => {
    const scores = await scoresOf("rouge", { ground_truth: "{{ref}}" }, { output: "the cats sit", ref: "the cat sits" })
    expect(scores).toEqual({
      rouge_1_score: 1,
      rouge_2_score: 1,
      rouge_3_score: 1,
      rouge_L_score: 1,
      rouge_Lsum_score: 1,
    })
  })

  it(
    "computes ROUGE of long texts in many turns, so that other work is not delayed",
    verifies("metric.rouge"),
    async () => {
      const row = { output: "a ".repeat(50_000), ref: "a b ".repeat(25_000) }
      let turns = 0
      let isDone = false
      const count = () => {
        turns += 1
        if (!isDone) setImmediate(count)
      }
      setImmediate(count)
      const scores = await scoresOf("rouge", { ground_truth: "{{ item.ref }}" }, row)
      isDone = true
      expect(scores).toMatchObject({ rouge_1_score: 0.5, rouge_L_score: 0.5 })
      expect(turns).toBeGreaterThan(20)
    },
  )

  it("computes chrF from 0 to 100", verifies("metric.chrf"), async () => {
    expect(await scoresOf("chrf", { references: ["{{ref}}"] }, { output: "cat", ref: "cat" })).toEqual({ chrf: 100 })
  })

  it.each([
    ["rows_invalid", { ref: "x" }, /no 'response' and no 'output', so there is nothing to score/],
    [
      "output_truncated",
      { ref: "x", response: { choices: [{ message: { content: null }, finish_reason: "length" }] } },
      /raise 'max_tokens'/,
    ],
    [
      "answer_unusable",
      { ref: "x", response: { choices: [{ message: { content: null } }] } },
      /The answer has no text/,
    ],
    ["rows_invalid", { ref: [], output: "x" }, /needs at least one reference/],
    ["template_error", { output: "x" }, /reads .item\.ref.*has: output/],
  ])(
    "fails a row with %s and a message that says what is missing",
    verifies("metric.exact-match"),
    async (code, row, message) => {
      const scoring = scoresOf("em", { ground_truth: "{{ item.ref }}" }, row)
      await expect(scoring).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string })
    },
  )
})
