import { isAssayError, type GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { contentSafety, selfChecks, topicControl } from "../testing/vendor-configurations.ts"
import { checkGuardrailData } from "./check-guardrail-data.ts"
import { effectiveData } from "./effective-data.ts"
import { findPrompt } from "./find-prompt.ts"
import { createLinearPattern } from "@assay/metrics"
import { searched } from "./detection-patterns.ts"
import { parseFlow } from "./parse-flow.ts"
import { modelTypeOf } from "./plan-judge.ts"
import { withAskedModel, withModels } from "./with-models.ts"

const URL = "http://127.0.0.1:9/v1"

function faultsOf(more: Partial<GuardrailData>, base = selfChecks(URL)) {
  try {
    checkGuardrailData({ ...base, ...more })
  } catch (error) {
    if (!isAssayError(error, "invalid_request")) throw error
    return error.issues.map(({ loc, msg, type, input }) => ({ at: loc.slice(2).join("."), msg, type, input }))
  }
  return []
}
const warningsOf = (more: Partial<GuardrailData>, base = selfChecks(URL)) =>
  checkGuardrailData({ ...base, ...more }).map(({ loc, type }) => `${loc.slice(2).join(".")} ${type}`)
const ofMain = (more: object): Partial<GuardrailData> => ({
  models: [{ type: "main", model: "judge", parameters: { base_url: URL }, ...more }],
})
const flowOf = (name: string) => {
  const flow = parseFlow(name)
  if (flow?.type !== "judge") throw new Error(`${name} is not a flow of a judge`)
  return flow
}

describe("an unsupported setting of a configuration in the vendor's form", () => {
  it.each([
    ["rails.retrieval.flows", { rails: { retrieval: { flows: ["check retrieval sensitive data"] } } }],
    ["user_messages", { user_messages: { "ask politics": ["Who should I vote for?"] } }],
    ["flows", { flows: [{ elements: [] }] }],
    ["import_paths", { import_paths: ["core"] }],
    ["colang_version", { colang_version: "2.x", rails: {} }],
    ["models.0.mode", ofMain({ mode: "text" })],
    ["models.0.parameters.default_headers", ofMain({ parameters: { default_headers: { "x-key": "v" } } })],
  ] satisfies [string, Partial<GuardrailData>][])(
    "is refused by name if it would decide a verdict: %s",
    verifies("rails.vendor-refused"),
    (location, more) => {
      expect(faultsOf(more)).toMatchObject([{ at: location, type: "unsupported" }])
    },
  )

  it.each([
    ["jailbreak detection heuristics", /is not supported: it detects jailbreaks/],
    ["self check facts", /is not supported: it compares/],
    ["mask sensitive data on input", /is not supported: it finds personal data/],
    ["check blocked terms", /is not a flow; there are/],
    ["regex check retrieval", /is not supported: it matches patterns in retrieved documents/],
    ["tool call validation", /is a rule for tool_output/],
  ])("is refused with the needs of the flow: %s", verifies("rails.vendor-refused"), (flow, msg) => {
    expect(faultsOf({ rails: { input: { flows: [flow] } } })).toMatchObject([
      { at: "rails.input.flows.0", msg: expect.stringMatching(msg) },
    ])
  })

  it(
    "is refused without showing its value if it is a key, and accepted if it is a placeholder",
    verifies("rails.vendor-keys"),
    () => {
      const [fault, ...others] = faultsOf(ofMain({ parameters: { base_url: URL, api_key: "sk-secret" } }))
      expect([fault, others]).toMatchObject([{ at: "models.0.parameters.api_key", type: "inline_key" }, []])
      expect(JSON.stringify(fault)).not.toContain("sk-secret")
      expect(faultsOf(ofMain({ parameters: { base_url: URL, api_key: "EMPTY" } }))).toEqual([])
    },
  )

  it("is refused if the prompt of a rail consists of expressions, and ignored in other prompts", () => {
    const messages = ["{{ history | to_chat_messages }}"]
    expect(faultsOf({ prompts: [{ task: "self_check_input", messages }] })).toMatchObject([
      { at: "prompts.0.messages.0", type: "unsupported" },
    ])
    expect(faultsOf({ prompts: [{ task: "generate_bot_message", messages, output_parser: "verbose_v1" }] })).toEqual([])
  })
})

describe("a setting of the vendor's form that has no effect", () => {
  it("leads to a warning with its location", verifies("rails.vendor-warnings"), () => {
    const base = contentSafety(URL)
    const more: Partial<GuardrailData> = {
      rails: {
        ...base.rails,
        config: { jailbreak_detection: { server_endpoint: URL }, content_safety: { multilingual: { enabled: true } } },
      },
      tracing: { enabled: true },
      knowledge_base: { folder: "kb" },
      enable_rails_exceptions: true,
      bot_messages: { "express greeting": ["Hi"] },
      colang_version: "2.x",
    }
    expect(warningsOf(more, base)).toEqual(
      [
        "models.1.api_key_env_var",
        "models.1.cache",
        "models.2.type",
        "rails.output.streaming.stream_first",
        "rails.config.content_safety.multilingual",
        "rails.config.jailbreak_detection",
        "colang_version",
        "bot_messages",
        "enable_rails_exceptions",
        "tracing",
        "knowledge_base",
      ].map((location) => `${location} no_effect`),
    )
    expect(warningsOf({ models: [{ type: "main", reasoning_config: {} }], rails: {} }, {})).toEqual([
      "models.0.reasoning_config no_effect",
      "rails no_effect",
    ])
  })

  it(
    "leads to a warning if the prompt of a flow is not asked, and the built-in one is",
    verifies("rails.vendor-warnings"),
    () => {
      const content = "Block {{ user_input }}? yes or no"
      const rails = { input: { flows: ["self check input"] }, output: { flows: [], apply_to_reasoning_traces: true } }
      const prompts = (...more: object[]) => more.map((one) => ({ task: "self_check_input", content, ...one }))
      const unasked = [{ mode: "compact" }, { models: ["other"] }, { task: "self_check_input $model=typo" }]
      for (const one of unasked) {
        expect(warningsOf({ prompts: prompts(one), rails: { input: rails.input } }, {})).toEqual([
          "prompts.0 no_effect",
        ])
        expect(warningsOf({ prompts: prompts(one, {}), rails: { input: rails.input } }, {})).toEqual([])
      }
      const instructions = [
        { type: "other", content: "x" },
        { type: "general", content: "y" },
      ]
      const more = {
        prompts: prompts({ max_length: 9 }),
        rails,
        instructions,
        event_source_uid: "NeMoGuardrails-Colang-2.x",
      }
      expect(warningsOf(more, {})).toEqual(
        ["rails.output.apply_to_reasoning_traces", "prompts.0.max_length", "instructions.0", "event_source_uid"].map(
          (location) => `${location} no_effect`,
        ),
      )
    },
  )

  it("leads to no warning if it is null or false, as in exports of the vendor", () => {
    const nulls = { tracing: null, docs: null, actions_server_url: null, user_messages: {}, flows: [], core: {} }
    expect(warningsOf(nulls, topicControl(URL))).toEqual([])
  })

  it("leads to a warning if a prompt does not show the text to judge", verifies("rails.prompt-shows"), () => {
    const content = "Should this be blocked? yes or no"
    const prompts = [
      { task: "self_check_input", content },
      { task: "self_check_output", content: `{{ user_input }} ${content}` },
    ]
    expect(warningsOf({ prompts, rails: selfChecks(URL).rails ?? {} })).toEqual([
      "rails.dialog no_effect",
      "prompts.0 unshown_message",
      "prompts.1 unshown_message",
    ])
  })

  it("leads to no such warning if a prompt changes the text before it shows it", verifies("rails.prompt-shows"), () => {
    const trimmed = "{% set user_input = user_input | trim %}Should this be blocked? {{ user_input }}"
    const checked = "{% if not user_input %}{% set user_input = '-' %}{% endif %}{{ user_input }} {{ bot_response }}"
    const prompts = [
      { task: "self_check_input", content: trimmed },
      { task: "self_check_output", content: checked },
    ]
    expect(warningsOf({ prompts, rails: selfChecks(URL).rails ?? {} })).toEqual(["rails.dialog no_effect"])
  })
})

describe("effectiveData", () => {
  it("returns an effective configuration unchanged", verifies("rails.vendor-configurations"), () => {
    for (const data of [selfChecks(URL), contentSafety(URL), topicControl(URL)]) {
      const once = effectiveData(data)
      expect(effectiveData(once)).toEqual(once)
    }
  })

  it("prefers url and model to parameters of the same meaning", () => {
    const model = {
      type: "main",
      url: "http://own/v1",
      model: "own",
      parameters: { base_url: URL, model_name: "other" },
    }
    expect(effectiveData({ models: [model] }).models).toEqual([{ ...model, parameters: {} }])
  })

  it("keeps a pin whose name is in the parameters", () => {
    const data = { models: [{ type: "main", pinned: true, parameters: { base_url: URL, model_name: "own" } }] }
    expect(() => withModels(data, [{ type: "main", model: "other", url: URL }])).toThrow(/pins its model/)
    expect(withModels(data, [{ type: "main", url: URL }]).models?.[0]).toMatchObject({ model: "own", pinned: true })
  })
})

describe("withAskedModel", () => {
  it(
    "names main after the model of the request only if a judge asks it and it has no name",
    verifies("rails.default-url"),
    () => {
      const rails = { input: { flows: ["self check input"] } }
      expect(withAskedModel({ rails }, "asked").models).toEqual([{ type: "main", model: "asked" }])
      const named = { rails, models: [{ type: "main", model: "own" }] }
      expect(withAskedModel(named, "asked")).toBe(named)
      const other = topicControl(URL)
      expect(withAskedModel(other, "asked")).toBe(other)
    },
  )
})

describe("the model of a flow", () => {
  it("is the one of its task, if there is one", () => {
    const { models } = effectiveData({ models: [{ type: "self_check_input" }] })
    expect(modelTypeOf(flowOf("self check input"), { models })).toBe("self_check_input")
    expect(modelTypeOf(flowOf("self check output"), { models })).toBe("main")
  })
})

describe("the prompt of a flow", () => {
  it("is the best match for model and mode, and the last of equal ones", () => {
    const data = effectiveData({
      models: [{ type: "main", engine: "nim", model: "meta/llama" }],
      prompting_mode: "compact",
      prompts: [
        { task: "self_check_input", content: "any" },
        { task: "self_check_input", content: "engine", models: ["nim"] },
        { task: "self_check_input", content: "exact", models: ["nim/meta/llama"] },
        { task: "self_check_input", content: "other", models: ["openai"] },
        { task: "self_check_output", content: "standard" },
        { task: "self_check_output", content: "compact", mode: "compact" },
        { task: "self_check_output", content: "verbose", mode: "verbose" },
      ],
    })
    const find = (flow: string) => findPrompt(data, flowOf(flow), "main")?.content
    expect([find("self check input"), find("self check output")]).toEqual(["exact", "compact"])
    expect(faultsOf({ prompts: data.prompts ?? [] })).toEqual([])
    const standard = effectiveData({ ...data, prompting_mode: null })
    expect(findPrompt(standard, flowOf("self check output"), "main")?.content).toBe("standard")
  })
})

describe("rules of a configuration", () => {
  const rulesOf = (rails: NonNullable<GuardrailData["rails"]>) =>
    faultsOf({ rails }).map(({ at, msg }) => `${at}: ${msg}`)

  it("that stand at another place are refused with those of the place", verifies("rails.vendor-refused"), () => {
    expect(rulesOf({ tool_input: { flows: ["tool call validation"] } })).toEqual([
      "rails.tool_input.flows.0: 'tool call validation' is not a flow for this place; there are 'tool result validation'",
    ])
    expect(
      rulesOf({ tool_output: { per_tool: { sql: ["check tool call $check=sql", "tool call validation"] } } }),
    ).toEqual([
      expect.stringMatching(/sql\.0: .* it asks a model about single tools; there are 'regex check tool call', 'regex/),
      expect.stringMatching(/sql\.1: 'tool call validation' is not a flow/),
    ])
    expect(rulesOf({ tool_output: { flows: ["tool call validation", "tool call validation"] } })[0]).toMatch(
      "occurs twice",
    )
    const ensembles = [{ name: "e", kind: "majority" as const, flows: ["regex check input"] }]
    expect(faultsOf({ ensembles })[0]?.msg).toMatch("ensembles ask judges")
    expect(
      faultsOf({ rails: { input: { flows: ["regex check input"] } }, policies: { "regex check input": {} } })[0]?.msg,
    ).toMatch("a policy has no effect")
  })

  it("have patterns that can be searched in linear time", verifies("rails.patterns"), () => {
    const at = (patterns: unknown) =>
      faultsOf({ rails: { config: { regex_detection: { input: { patterns }, tool_input: { sql: { patterns } } } } } })
    expect(at(["DROP\\s+TABLE", "(a+)+$", { pattern: "\\d{3}", mask_token: "X" }])).toEqual([])
    for (const [patterns, msg] of [
      [["(?=x)"], "the syntax of RE2"],
      [[7], "must be a pattern"],
      ["x", "must be a list"],
      [["x".repeat(1001)], "1000 are allowed"],
      [Array.from({ length: 101 }, () => "x"), "100 are allowed"],
    ] as const) {
      expect(at(patterns)).toMatchObject([{ msg: expect.stringContaining(msg) }, { msg: expect.stringContaining(msg) }])
    }
  })

  it("without a pattern get a warning, and those with one get none", verifies("rails.vendor-warnings"), () => {
    const rails = {
      input: { flows: ["regex check input"] },
      tool_input: { per_tool: { sql: ["regex check tool result"] } },
    }
    const config = { regex_detection: { input: { patterns: ["x"] } } }
    const found = warningsOf({ rails: { ...rails, config }, prompts: [] })
    expect(found).toEqual(["rails.tool_input.per_tool.sql.0 no_effect"])
  })

  it.each([
    ["DROP\\s+TABLE", "DROP\u00A0TABLE"],
    ["^\\w+$", "naïve"],
    ["[\\w-]+@x", "ü-ö@x"],
    ["\\d\\d", "٣٤"],
    ["[]a]\\S", "]b"],
  ])("read the pattern %s as Python does", verifies("rails.patterns"), (text, found) => {
    const pattern = searched({ text, ignoresCase: false })
    expect(createLinearPattern(pattern, []).isIn(found)).toBe(true)
  })
})
