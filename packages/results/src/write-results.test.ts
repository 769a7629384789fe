import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createTextSink, journalOf, sampleResults } from "./testing/sample-results.ts"
import { rowOf } from "./testing/tiny-result.ts"
import { writeResults } from "./write-results.ts"

async function written(input = sampleResults()) {
  const sink = createTextSink()
  const gates = await writeResults(input, sink)
  return { gates, file: (path: string) => sink.files.get(path) ?? "", paths: [...sink.files.keys()] }
}

describe("the results of a job", () => {
  it(
    "consist of config and results files, with keys masked",
    verifies("results.layout", "brief.evaluation.download-logs"),
    async () => {
      const { paths, file } = await written()
      expect(paths.toSorted()).toEqual([
        ...["config", "environment", "job", "pins", "target"].map((name) => `config/${name}.json`),
        "results/evaluation.log",
        "results/junit.xml",
        "results/metrics.csv",
        "results/report.html",
        "results/requests.log",
        "results/results.json",
        "results/rows.jsonl",
      ])
      expect(paths.at(-1)).toBe("results/results.json")
      for (const path of paths) expect(file(path)).not.toContain("sk-secret-key")
      expect(JSON.parse(file("config/target.json"))).toMatchObject({ model: { api_endpoint: { api_key: "******" } } })
      expect(JSON.parse(file("config/job.json"))).toMatchObject({
        id: "eval-3QJmnh8Y1kGqvS4cQKFJ2b",
        status: "COMPLETED",
      })
      expect(JSON.parse(file("config/pins.json"))).toMatchObject([{ fileset: "default/arithmetic" }])
      expect(JSON.parse(file("results/results.json"))).toMatchObject({ job: "eval-1" })
    },
  )

  it("contain each row of the journal unchanged, and a line for its request", async () => {
    const { file } = await written(sampleResults({ rows: 25 }))
    const rows = file("results/rows.jsonl").trimEnd().split("\n")
    expect(rows).toHaveLength(26)
    const requests = file("results/requests.log").trimEnd().split("\n")
    expect(requests).toHaveLength(26)
    expect(requests[0]).toBe(
      "task=qa row=0 repeat=0 attempt=1 latency_ms=200 prompt_tokens=40 completion_tokens=12 finish_reason=stop",
    )
    expect(requests[25]).toBe(
      'task=qa row=25 repeat=0 attempt=1 error=request_timeout message="No answer within 60 s. "',
    )
  })

  it("contain the log with times, one entry per line", async () => {
    const { file } = await written(sampleResults({ words: "a\nb" }))
    expect(file("results/evaluation.log")).toBe(
      [
        "2026-11-20T12:00:00.000Z INFO  started a",
        "    b",
        "2026-11-20T12:00:09.000Z WARN  row 60: request_timeout",
        "    retried 3 times",
        "",
      ].join("\n"),
    )
  })

  it("contain no control character of a model in their logs", verifies("results.logs.controls"), async () => {
    const { file } = await written(sampleResults({ words: "a\u001B]52;c;Ym9v\u0007\u009B2J\u202E\tb" }))
    for (const path of ["results/evaluation.log", "results/requests.log"]) {
      expect(file(path)).toContain("]52;c;Ym9v")
      // oxlint-disable-next-line no-control-regex -- the pattern must name control characters to find them
      expect(file(path)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/)
    }
  })

  it("contain a table of all scores and a JUnit report", verifies("results.junit-csv"), async () => {
    const { file } = await written()
    const [header, first, , , , last] = file("results/metrics.csv").split("\r\n")
    expect(header).toBe(
      "task,metric,score,value,low,high,confidence,method,scored,unreadable,errored,skipped,complete,stddev,stderr,min,p50,p90,max",
    )
    expect(first).toMatch(/^qa,correct,string-check,0\.666\d*,0\.54\d*,0\.77\d*,0\.95,wilson,60,0,1,0,false,/)
    expect(last).toBe("qa,bleu,corpus,41.27,,,,,,,,,,,,,,,")
    const junit = file("results/junit.xml")
    expect(junit).toContain(
      '<testsuites name="eval-3QJmnh8Y1kGqvS4cQKFJ2b" tests="7" failures="1" errors="0" skipped="0">',
    )
    expect(junit).toContain('<testcase classname="qa" name="correct">')
    expect(junit).toContain(
      '<failure type="judge_output_unreadable" message="Judge output can&apos;t be read'.replace("&apos;", "'"),
    )
  })

  it("have a test case for each gate if there are gates", async () => {
    const gates = [
      { name: "qa.correct.string-check", limit: { atLeast: 0.5 } },
      { name: "qa.correct.string-check", limit: { atLeast: 0.7 } },
      { name: "qa.rouge.rouge_L_score", limit: { atLeast: 0.9 } },
    ]
    const { file } = await written(sampleResults({ gates }))
    const job = JSON.parse(file("config/job.json"))
    expect(job).toMatchObject({
      verdict: "FAIL",
      gates: [{ verdict: "PASS" }, { verdict: "INCONCLUSIVE" }, { verdict: "FAIL" }],
    })
    const junit = file("results/junit.xml")
    expect(junit).toContain('<testcase classname="gates" name="qa.correct.string-check &gt;= 0.5"/>')
    expect(junit).toContain('<skipped type="gate" message="INCONCLUSIVE: qa.correct.string-check is 0.667')
    expect(junit).toContain('<failure type="gate" message="FAIL: qa.rouge.rouge_L_score is 0.595 and lies between')
    expect(junit).not.toContain('classname="qa"')
  })

  it("are valid XML and CSV for any names", async () => {
    const words = 'a,"b"\r\n<c> & \u0000\uD800'
    const { file } = await written({ ...sampleResults({ words }), message: words, status: "FAILED" })
    expect(file("results/junit.xml")).toContain('message="a,&quot;b&quot;&#10;&lt;c&gt; &amp; ⟨U+0000⟩⟨U+D800⟩"')
    const { result } = sampleResults()
    const named = result && { ...result, tasks: { [words]: result.tasks["qa"] ?? { metrics: {} } } }
    expect((await written({ ...sampleResults(), result: named })).file("results/metrics.csv")).toContain(
      '"a,""b""\n<c> & ⟨U+0000⟩',
    )
  })

  it("are written without scores for a job that failed early", async () => {
    const { journal: _, ...input } = sampleResults()
    const { paths, file } = await written({ ...input, result: null, status: "FAILED", message: "The key is refused." })
    expect(paths).not.toContain("results/results.json")
    expect(paths).not.toContain("results/rows.jsonl")
    expect(file("results/report.html")).toContain("Evaluation failed")
    expect(file("results/junit.xml")).toContain('<error type="FAILED" message="The key is refused."></error>')
  })

  it("include a calibration report of a guardrail, from the last attempt of each row", async () => {
    const judged = (index: number, label: string, outcome: "pass" | "block", attempt = 1) =>
      rowOf(
        index,
        {},
        {
          attempt,
          item: { prompt: `prompt ${index}`, label },
          sample: {
            output_text: null,
            response: {
              outcome,
              is_let_through: outcome === "pass",
              latency_ms: 5,
              calls: { made: 1, saved: 0 },
              tokens: null,
            },
            usage: null,
            latency_ms: 5,
            finish_reason: null,
          },
        },
      )
    const journal = journalOf([
      ...Array.from({ length: 12 }, (_, at) =>
        judged(at, at % 2 === 0 ? "safe" : "unsafe", at % 2 === 0 ? "pass" : "block"),
      ),
      judged(0, "safe", "block", 2),
    ])
    const input = sampleResults()
    const { file } = await written({
      ...input,
      journal,
      job: { ...input.job, config: { type: "content_safety", tasks: { qa: {} } } },
    })
    expect(JSON.parse(file("results/guardrail.json"))).toMatchObject({
      rows: { total: 12, safe: 6, unsafe: 6 },
      judges: [{ false_block: { count: 1, n: 6 }, miss: { count: 0, n: 6 } }],
    })
    expect(file("results/guardrail.html")).toContain("Is this judge fit to guard?")
    expect((await written()).paths).not.toContain("results/guardrail.html")
  })
})
