import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { shapePlan } from "./shape-plan.ts"

const ROWS: EvaluationTargetBody = { type: "rows", rows: [{ a: 1 }] }
const MODEL = { type: "model", model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "m" } } } as const

function custom(tasks: EvaluationConfigBody["tasks"]): EvaluationConfigBody {
  return { type: "custom", ...(tasks === undefined ? {} : { tasks }) }
}

const issuesOf = (...given: Parameters<typeof shapePlan>) => shapePlan(...given).issues

describe("the shape of a plan", () => {
  it("reports all issues at once", verifies("launch.fit"), () => {
    const issues = issuesOf(
      MODEL,
      custom({
        one: { type: "chat", metrics: {} },
        two: {
          params: { template: { prompt: "{{ item.a" } },
          metrics: {
            a: { type: "exact-macth", params: {} },
            b: { type: "string-check", params: { check: ["{{item.a}}", "like", "x"] } },
            c: { type: "em", params: {} },
            d: { type: "llm-judge", params: { template: { prompt: "x" }, scores: { s: {} } } },
            e: { type: "f1", params: { ground_truth: "{% if %}" } },
          },
          dataset: { files_url: "default/x" },
        },
      }),
    )
    const messages = issues.map(({ task, message }) => `${task}: ${message}`)
    expect(messages).toEqual([
      expect.stringContaining("one: tasks.one.type: 'chat' is not a task of a custom configuration"),
      expect.stringContaining("one: tasks.one.metrics: is empty"),
      expect.stringContaining("one: tasks.one.dataset: is missing"),
      expect.stringContaining(
        "two: tasks.two.metrics.a.type: 'exact-macth' is not a metric; did you mean 'exact-match'",
      ),
      expect.stringContaining("two: check.1: 'like' is not an operator for texts"),
      expect.stringContaining("two: tasks.two.metrics.c.params.references: is missing"),
      expect.stringContaining("two: tasks.two.metrics.d.params.model: needs the model that judges"),
      expect.stringContaining("two: The template 'tasks.two.metrics.e.params.ground_truth'"),
      expect.stringContaining("two: The template 'tasks.two.params.template.prompt'"),
    ])
    expect(issues.at(-1)?.code).toBe("template_error")
  })

  it(
    "lists the fields that templates read, each once, without those that they test for",
    verifies("launch.fields"),
    () => {
      const prompt = "{{ item.question }}\n{{ hint }} {{ question }} {{ item.extra | default('') }}"
      const judge = {
        model: MODEL.model,
        template: { prompt: "{{ sample.output_text }} {{ item.rubric.text }}" },
        scores: { s: {} },
      }
      const config = custom({
        qa: {
          params: { template: { prompt } },
          metrics: {
            em: { type: "em", params: { ground_truth: "{{ item.answer }}" } },
            judge: { type: "llm-judge", params: judge },
          },
          dataset: { files_url: "default/x" },
        },
      })
      const [task] = shapePlan(MODEL, config).tasks
      expect(task?.fields.map(({ anyOf }) => anyOf)).toEqual([["question"], ["hint"], ["answer"], ["rubric"]])
      expect(task?.fields[0]?.by).toContain("line 1")
      expect(task?.fields[1]?.by).toBe("template 'tasks.qa.params.template.prompt', line 2")
      expect(shapePlan(ROWS, config).tasks[0]?.fields.map(({ anyOf }) => anyOf)).toEqual([
        ["response", "output"],
        ["answer"],
        ["rubric"],
      ])
      expect(task?.endpoints).toHaveLength(2)
    },
  )

  it("has an issue if the template of a request reads the answer", verifies("run.templates"), () => {
    const task = { metrics: { t: { type: "tokens" } }, dataset: "default/x" }
    const shape = (prompt: string) => issuesOf(MODEL, custom({ qa: { ...task, params: { template: { prompt } } } }))
    expect(shape("{{ item.a }}\n{{ sample.output_text }}")).toMatchObject([
      {
        task: "qa",
        code: "template_error",
        message: expect.stringContaining("'sample.output_text' (line 2)") as string,
      },
    ])
    expect(shape("{% if sample is defined %}{% endif %}")).toEqual([])
  })

  it("of agents and retrievers has issues for parts that do not fit", verifies("launch.fit"), () => {
    const agentic = { type: "agentic", tasks: { a: { type: "goal" }, b: { type: "answer_accuracy" } } } as const
    const messages = issuesOf(ROWS, agentic).map(({ message }) => message)
    expect(messages[0]).toContain("tasks.a.type: 'goal' is not an agentic task")
    expect(messages[1]).toContain("tasks.b.metrics.answer_accuracy.params.judge.model: needs the model that judges")
    const [first] = issuesOf(MODEL, { type: "retriever" })
    expect(first?.message).toContain("target.type: a retriever is scored over given rankings")
    const wrong = issuesOf(ROWS, { type: "retriever", tasks: { r: { metrics: { x: { type: "recal_5" } } } } })
    expect(wrong[0]?.message).toContain("'recal_5' is not a score of rankings")
    expect(issuesOf(ROWS, { type: "content_safety" })[0]?.message).toContain("guardrail: is missing")
    expect(issuesOf(ROWS, { type: "custom" })[0]?.message).toContain("config.tasks: is empty")
  })
})
