import { CONDITIONS, type Condition, type ConditionCode, type JobStatus } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { explainJob, type ExplainableJob } from "./explain-job.ts"

function conditionOf(code: ConditionCode): Condition {
  const { title, remedy } = CONDITIONS[code]
  const at = "2026-11-20T08:00:00.000Z"
  return { code, title, message: "It happened.", evidence: ["a line"], remedy, count: 1, first_seen: at, last_seen: at }
}

function jobOf(
  status: JobStatus,
  codes: readonly ConditionCode[],
  different: Partial<ExplainableJob> = {},
): ExplainableJob {
  return {
    id: "eval-1",
    namespace: "default",
    status,
    status_details: { message: "3 of 20 rows failed", task_status: {}, progress: 100, samples_failed: 3 },
    conditions: codes.map(conditionOf),
    target: {
      type: "model",
      model: {
        api_endpoint: { url: "https://models.example:8443/v1/chat/completions", model_id: "m", api_key_secret: "key" },
      },
    },
    config: {
      type: "custom",
      tasks: { qa: { dataset: { files_url: "assay://datasets/shared/questions/rows.jsonl" } } },
    },
    ...different,
  }
}

describe("explaining a job", () => {
  it("has what happened, the conditions, and the commands to run next", verifies("eval.explain"), () => {
    const job = jobOf("FAILED", ["inference_unauthorized"])
    expect(explainJob(job)).toEqual({
      status: "FAILED",
      summary:
        "The job has failed. 3 of 20 rows failed. One condition was found: The inference endpoint refuses the key.",
      conditions: job.conditions,
      next: ["assay secret set default/key", "assay eval retry-failed eval-1", "assay eval download eval-1"],
    })
  })

  it("says which gates failed or are not decided, and why", () => {
    const gate = { value: 0.5, low: 0.3, high: 0.7, stop: "never", alpha: 0.05, decided_after: null } as const
    const summaryOf = (...gates: readonly ("PASS" | "FAIL" | "INCONCLUSIVE")[]) => {
      const states = gates.map((verdict, at) => ({ ...gate, name: `qa.exact.s${at}`, limit: ">= 0.8", verdict }))
      const status_details = { message: "", task_status: {}, progress: 100, gates: states }
      return explainJob(jobOf("COMPLETED", [], { status_details })).summary
    }
    expect(summaryOf("PASS", "INCONCLUSIVE", "FAIL")).toBe(
      "The job has finished. Of 3 gates, 1 failed and 1 could not be decided. The gate 'qa.exact.s2 >= 0.8' failed: the score is 0.5 (interval 0.3 to 0.7). " +
        "The gate 'qa.exact.s1 >= 0.8' could not be decided: the score is 0.5 (interval 0.3 to 0.7), and the rows are too few to say on which side of the limit it is. " +
        "No known condition was found. Its scores are in the results.",
    )
    expect(summaryOf("PASS", "PASS")).toContain("All 2 gates passed.")
    const reason = "8 of 20 rows have no score."
    const gates = [{ ...gate, name: "qa.f1", limit: ">= 1", verdict: "INCONCLUSIVE" as const, reason, low: null }]
    expect(explainJob(jobOf("COMPLETED", [], { gates })).summary).toContain(
      "The gate 'qa.f1 >= 1' could not be decided: 8 of 20 rows have no score. No known",
    )
  })

  it("names the command that continues the job: only retry-failed evaluates failed rows again", () => {
    const nextOf = (samples_failed: number) => {
      const status_details = { message: "Ended.", task_status: {}, progress: 100, samples_failed }
      return explainJob(jobOf("FAILED", ["inference_unreachable"], { status_details })).next
    }
    expect(nextOf(3)).not.toContain("assay eval resume eval-1")
    expect(nextOf(0)).toContain("assay eval resume eval-1")
  })

  it.each<readonly [ConditionCode, string]>([
    ["inference_tls", "openssl s_client -showcerts -connect 'models.example:8443' </dev/null"],
    ["inference_unreachable", "curl -sS 'https://models.example:8443/v1/models'"],
    ["model_not_found", "curl -sS 'https://models.example:8443/v1/models'"],
    ["rows_invalid", "assay dataset validate shared/questions"],
    ["dataset_missing", "assay ls shared/questions"],
    ["datastore_unreachable", "assay doctor"],
    ["gated_dataset", "assay secret set default/<name of token_secret>"],
  ])("with %s begins with %s", (code, command) => {
    expect(explainJob(jobOf("FAILED", [code])).next[0]).toBe(command)
  })

  it("recommends another launch if another attempt can't help", () => {
    const { next } = explainJob(jobOf("FAILED", ["context_overflow"]))
    expect(next).toEqual(["assay eval launch FILE", "assay eval download eval-1"])
  })

  it.each<readonly [JobStatus, readonly string[]]>([
    ["RUNNING", ["assay eval watch eval-1"]],
    ["UNAVAILABLE", ["assay eval watch eval-1"]],
    ["COMPLETED", ["assay eval results eval-1", "assay eval download eval-1"]],
    ["CANCELLED", ["assay eval resume eval-1", "assay eval results eval-1", "assay eval download eval-1"]],
  ])("that is %s and without conditions has the next steps %j", (status, next) => {
    expect(explainJob(jobOf(status, [])).next).toEqual(next)
  })

  it("that failed for no known reason refers to the log", () => {
    const { summary, next } = explainJob(jobOf("FAILED", []))
    expect(summary).toContain("No known condition was found: read its log.")
    expect(next[0]).toBe("assay eval logs eval-1")
  })

  it("of a run on this machine names its folder, and no command that works only with a server", () => {
    expect(explainJob(jobOf("FAILED", ["context_overflow"]), "./out").next).toEqual([])
    expect(explainJob(jobOf("CANCELLED", []), "./out").next).toEqual([
      "assay eval resume ./out",
      "assay eval results ./out",
    ])
  })

  it("of a run on this machine names the variable of a refused key, and secrets only for filesets of a server", () => {
    const nextOf = (code: ConditionCode, given: Partial<ExplainableJob> = {}) =>
      explainJob(jobOf("FAILED", [code], given), "./out").next
    const endpoint = { url: "https://models.example:8443/v1", model_id: "m" }
    const target = (more: object = {}) => ({
      target: { type: "model" as const, model: { api_endpoint: { ...endpoint, ...more } } },
    })
    expect(nextOf("inference_unauthorized", target())).toEqual([
      "export ASSAY_INFERENCE_API_KEY='<key of models.example:8443>'",
      "assay eval retry-failed ./out",
    ])
    expect(nextOf("quota_exhausted", target({ api_key_env: "MODEL_KEY" }))[0]).toBe(
      "export MODEL_KEY='<key of models.example:8443>'",
    )
    expect(nextOf("gated_dataset")[0]).toBe("assay secret set default/<name of token_secret>")
    expect(nextOf("gated_dataset", { config: { type: "custom" } })).toEqual(["assay eval retry-failed ./out"])
    expect(explainJob(jobOf("FAILED", ["inference_unauthorized"], target())).next[0]).toMatch(/^assay secret set /)
  })

  it("quotes addresses of users for a shell", () => {
    const target = {
      type: "model",
      model: { api_endpoint: { url: "http://h/'; rm -rf x; '/v1", model_id: "m" } },
    } as const
    const [command] = explainJob(jobOf("FAILED", ["inference_unreachable"], { target })).next
    expect(command?.match(/'/g)).toHaveLength(2)
  })
})
