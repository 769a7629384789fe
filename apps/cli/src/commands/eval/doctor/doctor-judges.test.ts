import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../../testing/temporary-folder.ts"

/** Rows with an answer to compare with. Every other one is a longer text. */
const PAIRS = Array.from({ length: 60 }, (_, row) => ({
  question: `Where is parcel ${row}?`,
  reference:
    row % 2 === 0
      ? `Parcel ${row} is here.`
      : `Parcel ${row} is here. It was late. We are sorry. It was lost before. Come at noon. Or later.`,
}))

/** Returns an evaluation whose judge sees two answers in one order. */
function pairEvaluation(url: string): string {
  const ask = '<material>{"A": {{ item.reference | tojson }}, "B": {{ sample.output_text | tojson }}}</material>'
  const labels = ["A", "tie", "B"].map((label, at) => ({ label, value: 1 - at / 2 }))
  const scores = { win: { type: "rubric", rubric: labels, parser: { type: "json", json_path: "winner" } } }
  const model = (model_id: string) => ({ api_endpoint: { url, model_id } })
  const chat = (content: string) => ({ messages: [{ role: "user", content }] })
  const better = { type: "llm-judge", params: { model: model("pair-judge"), template: chat(ask), scores } }
  const dataset = { files_url: "./pairs.jsonl" }
  const params = { template: chat("{{ item.question }}") }
  const tasks = { pairs: { type: "chat-completion", dataset, params, metrics: { better } } }
  return JSON.stringify({ target: { type: "model", model: model("plain-writer") }, config: { type: "custom", tasks } })
}

const EXAMPLE = fileURLToPath(new URL("../../../../../../examples/labels", import.meta.url))

it(
  "eval doctor says whether the judge of a folder is any good, and asks it only if it is told to",
  verifies("eval.doctor.judges", "eval.doctor.asks", "eval.doctor.swaps"),
  async () => {
    using folder = makeTemporaryFolder()
    const endpoint = await startFakeInference()
    try {
      cpSync(EXAMPLE, folder.path, { recursive: true })
      const read = (name: string) => readFileSync(join(folder.path, name), "utf8")
      folder.write("harmful.yaml", read("harmful.yaml").replaceAll("http://127.0.0.1:9000", endpoint.url))
      const run = async (...words: string[]) => {
        const { exitCode, stdout, stderr } = await runCommand(words, { cwd: folder.path })
        expect([exitCode, exitCode === 0 ? "" : stderr]).toEqual([0, ""])
        return { stdout, stderr }
      }
      const asked = () => endpoint.requests.length
      await run("eval", "run", "harmful.yaml", "--out", "./results")
      const known = asked()
      const unlabelled = await run("eval", "doctor", "./results")
      expect(unlabelled.stdout).toContain(
        "by small-judge: do not gate on it yet (240 verdicts)\n\nDo not gate on it yet: no row has a label of a person.",
      )
      expect(unlabelled.stdout).toContain("next: assay label next ./results --metric harmful.asks --limit 30\n")
      expect(unlabelled.stdout).toMatch(/length of answers +0\.314 +0\.191 to 0\.427 +240 verdicts\n/)

      await run("label", "next", "./results", "--metric", "harmful", "--limit", "120", "--out", "sheet.jsonl")
      folder.write("filled.jsonl", read("sheet.jsonl").replaceAll(/("people":([01]).*)"label":null/g, '$1"label":$2'))
      await run("label", "add", "./results", "filled.jsonl", "--author", "ann")
      const labelled = await run("eval", "doctor", "./results", "--metric", "harmful")
      expect(labelled.stdout).toContain(
        "Use the corrected mean: the judge finds 0.529, and people would find 0.487 (0.424 to 0.55, by 120 labels).",
      )
      expect(labelled.stdout).toMatch(
        /agreement with people, kappa +0\.401 +0\.2\d+ to 0\.5\d+ +120 labels, 84 equal\n/,
      )
      expect(asked()).toBe(known)

      const again = ["eval", "doctor", "./results", "--ask", "2", "--rows", "20"] as const
      const found = await run(...again)
      expect(found.stderr).toContain("asks small-judge up to 40 times, about 20 rows")
      expect(found.stdout).toMatch(/flip_rate +0 +0 to 0\.161 +0 of 20 outputs judged again\n/)
      expect(asked()).toBe(known + 40)
      // The answers are kept, so that nothing is asked twice, and later commands read them.
      const { stdout } = await run("eval", "doctor", "./results", "--json")
      const flips = { rows: 20, flipped: 0, flip_rate: 0 }
      expect(JSON.parse(stdout)).toMatchObject({ jobs: [{ scores: [{ judge: { conclusion: "corrected", flips } }] }] })
      await run(...again)
      expect(asked()).toBe(known + 40)

      // Reports of a job have the same section, by the labels that its metric names.
      folder.write(
        "named.yaml",
        read("harmful.yaml").replace("type: llm-judge", "type: llm-judge\n          labels: ./labels.jsonl"),
      )
      await run("eval", "run", "named.yaml", "--out", "./named", "--gate", "harmful>=0.2")
      const report = read("named/results/report.html")
      expect(report).toMatch(
        /<h2 id="judges">[^]*use corrected means[^]*PASS by the corrected mean, too[^]*agreement with people, kappa/,
      )
      expect(JSON.parse(read("named/results/results.json"))).toMatchObject({
        tasks: {
          messages: { metrics: { harmful: { scores: { asks: { judge: { agreement: { rows: 120, same: 84 } } } } } } },
        },
      })
      await run("eval", "results", "./named", "--summary", "summary.md")
      expect(read("summary.md")).toMatch(
        /### Judges\n\n- <code>messages\.harmful\.asks<\/code>: \*\*Use the corrected mean\*\*: the judge finds/,
      )

      // A judge that compares two texts sees the other order, too. The fake one names the first answer for one pair in ten.
      folder.write("pairs.jsonl", PAIRS.map((row) => `${JSON.stringify(row)}\n`).join(""))
      folder.write("pairs.yaml", pairEvaluation(`${endpoint.url}/v1`))
      await run("eval", "run", "pairs.yaml", "--out", "./pairs")
      const oneOrder = await run("eval", "doctor", "./pairs")
      expect(oneOrder.stdout).toMatch(/first answer wins .* rows decided, if the order was random\n/)
      const swapping = ["eval", "doctor", "./pairs", "--ask", "1", "--swap", "reference,output"] as const
      const bothOrders = await run(...swapping)
      expect(bothOrders.stderr).toContain("asks pair-judge up to 120 times, about 60 rows")
      expect(bothOrders.stdout).toMatch(/first answer wins +1 .* 5 of 60 rows contradict the other order\n/)
      expect(bothOrders.stdout).toMatch(/flip_rate +0 .* 0 of 60 outputs judged again\n/)
      const swapped = asked()
      expect((await run("eval", "doctor", "./pairs")).stdout).toMatch(/rows contradict the other order\n/)
      await run(...swapping)
      expect(asked()).toBe(swapped)
      const noText = await runCommand([...swapping.slice(0, -1), "nope,output"], { cwd: folder.path })
      expect([noText.exitCode, noText.stderr]).toEqual([2, expect.stringContaining("has no text 'nope' to swap")])

      const wrong = await runCommand(["eval", "doctor", "./results", "--metric", "x"], { cwd: folder.path })
      expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("these are: messages.harmful.asks")])
      const mixed = await runCommand(["eval", "doctor", "sheet.jsonl", "--ask", "1"], { cwd: folder.path })
      expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining("--ask is about results of jobs")])
    } finally {
      await endpoint.close()
    }
  },
)
