import { createHash } from "node:crypto"
import type { EvaluationRow, LabelRow } from "@assay/schemas"
import * as fc from "fast-check"
import { scoreGates } from "@assay/results"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../canonical-json.ts"
import { readEnvelope, signEnvelope } from "../envelope/dsse-envelope.ts"
import { bundleOf, byteChanges, key, verify } from "../testing/bundle-of.ts"
import { verdictOf } from "../sides/compare-sides.ts"
import { createKeys, fileOf, rowOf, sideOf, testPorts } from "../testing/side-of.ts"
import { recountResults } from "../verify/recount-results.ts"
import type { BundleSide, VerdictStatement } from "../statement/verdict-statement.ts"

const candidate = await sideOf(Array.from({ length: 12 }, (_, row) => rowOf(row, row % 4 === 0)))
const baseline = await sideOf(
  Array.from({ length: 12 }, (_, row) => rowOf(row, row % 2 === 0)),
  { role: "baseline", id: "eval-2" },
)
const sides = [candidate, baseline]

function statementOf(bundle: Buffer): VerdictStatement {
  const { payload } = readEnvelope(bundle.subarray(0, bundle.indexOf("\n")).toString())
  return JSON.parse(payload.toString()) as VerdictStatement
}

/** Returns a bundle with another statement or other rows, signed by the same key. */
function signedAgain(bundle: Buffer, change: (statement: VerdictStatement) => void): Buffer {
  const end = bundle.indexOf("\n")
  const statement = statementOf(bundle)
  change(statement)
  return Buffer.concat([Buffer.from(signEnvelope(Buffer.from(canonicalJson(statement)), key)), bundle.subarray(end)])
}

/** A label of a person for the judge's score of a row: `SHA-256` of the item, with its keys in order, and of the output. */
function labelOf({ item, sample, row_index }: EvaluationRow, job: string, label: number): LabelRow {
  const sorted = Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const digest = createHash("sha256")
    .update(JSON.stringify([sorted, sample?.output_text]))
    .digest("hex")
  const where = { job, task: "qa", row_index, repeat: 0 }
  return {
    digest,
    metric: "judge.quality",
    label,
    author: "ada",
    created_at: "2026-12-01T00:00:00.000Z",
    probability: null,
    note: "rude",
    ...where,
  }
}

/** Returns a record with its keys in the opposite order. */
function reverse<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toReversed())
}

describe("a verdict bundle", () => {
  it(
    "is computed again from its rows: pure metrics, readings of judges, aggregates, gates and the comparison",
    verifies("bundles.recomputed"),
    async () => {
      const found = await verify(await bundleOf(sides))
      expect(found).toMatchObject({
        valid: true,
        signer: { name: "public.pem", trusted: true },
        differences: [],
        recomputed: { pure: 24, judged: 24, taken: 0, rows: 24, scores: 4, gates: 2, comparison: true },
        verdict: "INCONCLUSIVE",
      })
    },
  )

  it("compares as people would see it, by labels that are in the bundle", verifies("bundles.labels"), async () => {
    // People see the opposite of what the judge sees, in every answer that differs.
    const differing = [2, 6, 10]
    const rows = differing.flatMap((row) => [
      labelOf(rowOf(row, false), "eval-1", 1),
      labelOf(rowOf(row, true), "eval-2", 5),
    ])
    const other = { ...labelOf(rowOf(1, false), "eval-1", 1), metric: "other.score" }
    const labels = { name: "./labels.jsonl", rows: [...rows, other] }
    const bundle = await bundleOf(sides, { labels })
    const found = await verify(bundle)
    expect([found.valid, found.differences]).toEqual([true, []])
    const { predicate } = statementOf(bundle)
    const judged = predicate.comparison?.scores.find(({ metric }) => metric === "judge")
    expect(judged?.pairs).toMatchObject([{ difference: 1, corrected: { difference: -1, labels: 6 } }])
    expect(found.recomputed.taken_parts).toEqual(["6 labels of people, as ./labels.jsonl has them"])
    expect(JSON.stringify(predicate.labels)).not.toContain("rude")
    const changed = signedAgain(bundle, ({ predicate }) => {
      for (const row of predicate.labels?.rows ?? []) row.label = 5
    })
    const { valid, differences } = await verify(changed)
    expect([valid, differences.map(({ what }) => what)]).toEqual([
      false,
      expect.arrayContaining([expect.stringMatching(/^comparison\.scores\.1\.pairs\.0\.corrected\.difference$/)]),
    ])
    await expect(bundleOf(sides, { labels, redacted: true })).rejects.toThrow("without --redact")
  })

  it(
    "corrects means by labels of people again, as the job did when it ended",
    verifies("bundles.corrected"),
    async () => {
      const isWrong = (row: number) => row % 3 === 0
      const rows = Array.from({ length: 40 }, (_, row) => rowOf(row, isWrong(row)))
      const drawn = { draw: "random-1", probability: 1 }
      const given = rows.slice(0, 20).map((row, at) => ({ ...labelOf(row, "eval-1", isWrong(at) ? 2 : 5), ...drawn }))
      const side = await sideOf(rows, { labels: given })
      const corrected = (one: VerdictStatement) =>
        one.predicate.sides[0]?.result.tasks["qa"]?.metrics["judge"]?.scores["quality"]?.corrected
      const gates = [scoreGates.parse("qa.judge.quality corrected by people>=2")]
      const bundle = await bundleOf([side], { gates })
      expect(await verify(bundle)).toMatchObject({
        valid: true,
        recomputed: {
          corrected: 1,
          gates: 2,
          taken_parts: ["candidate: 20 labels of people, as ./labels.jsonl has them"],
        },
      })
      expect(corrected(statementOf(bundle))).toMatchObject({ labels: 20, corrected: { mean: expect.any(Number) } })
      expect(JSON.stringify(statementOf(bundle).predicate.sides[0]?.labels)).not.toContain("rude")
      const better = signedAgain(bundle, (statement) => {
        const { corrected: estimate } = corrected(statement) ?? {}
        if (estimate !== undefined && estimate !== null) estimate.mean = 4.9
      })
      const kinder = signedAgain(bundle, ({ predicate }) => {
        for (const row of predicate.sides[0]?.labels?.[0]?.rows ?? []) row.label = 5
      })
      for (const forged of [better, kinder]) {
        const { valid, differences } = await verify(forged)
        const places = differences.map(({ what }) => what)
        expect([valid, places]).toEqual([
          false,
          expect.arrayContaining([expect.stringMatching(/corrected\.corrected\.mean$/)]),
        ])
      }
      // Somebody labels more rows after the job has ended: its numbers follow from the earlier labels.
      const later = rows
        .slice(20, 25)
        .map((row) => ({ ...labelOf(row, "eval-1", 1), ...drawn, created_at: "2026-12-02T00:00:00.000Z" }))
      const [labels = { reference: "", name: "", rows: [] }] = side.labels ?? []
      const grown = await bundleOf([{ ...side, labels: [{ ...labels, rows: [...labels.rows, ...later] }] }])
      expect(statementOf(grown).predicate.sides[0]?.labels?.[0]?.rows).toHaveLength(20)
      // Labels that were changed do not give the corrected mean: it is taken as it is.
      const other = await bundleOf([{ ...side, labels: [{ ...labels, rows: labels.rows.slice(5) }] }])
      expect(await verify(other)).toMatchObject({
        valid: true,
        recomputed: {
          corrected: 0,
          taken_parts: [expect.stringContaining("judge.quality corrected by people"), expect.any(String)],
        },
      })
    },
  )

  it(
    "does not believe a corrected mean that no labels give, if labels are there",
    verifies("release.numbers"),
    async () => {
      const rows = Array.from({ length: 20 }, (_, row) => rowOf(row, row % 2 === 0))
      const drawn = { draw: "random-1", probability: 1 }
      const labels = rows.slice(0, 12).map((row) => ({ ...labelOf(row, "eval-1", 2), ...drawn }))
      const side = await sideOf(rows, { labels })
      expect(await recountResults(side, testPorts())).toMatchObject({ differences: [] })
      const { corrected: estimate } = side.result.tasks["qa"]?.metrics["judge"]?.scores["quality"]?.corrected ?? {}
      if (estimate !== undefined && estimate !== null) estimate.mean = 5
      const { differences } = await recountResults(side, testPorts())
      expect(differences).toMatchObject([{ what: "result.tasks.qa.judge.quality.corrected.corrected.mean", stored: 5 }])
      const { labels: _labels, ...believed } = side
      expect(await recountResults(believed, testPorts())).toMatchObject({ differences: [] })
    },
  )

  it("has no verdict if a gate has none because its metric changed, unless something fails", () => {
    const gate = (verdict: "PASS" | "FAIL" | null) => ({ name: "qa.contains", limit: ">= 0", verdict })
    const verdictWith = (...gates: BundleSide["gates"]) =>
      verdictOf([{ role: "candidate", status: "COMPLETED", gates } as unknown as BundleSide], null)
    expect(verdictWith(gate("PASS"))).toBe("PASS")
    expect(verdictWith(gate("PASS"), gate(null))).toBeNull()
    expect(verdictWith(gate("FAIL"), gate(null))).toBe("FAIL")
  })

  it("compares scores in the order of its statement, whatever the order in the file of the evaluation", async () => {
    const reversed = sides.map((side) => {
      const other = structuredClone({ config: side.job.config, result: side.result })
      for (const tasks of [other.config.tasks, other.result.tasks]) {
        for (const task of Object.values(tasks ?? {})) task.metrics = reverse(task.metrics ?? {})
      }
      return { ...side, job: { ...side.job, config: other.config }, result: other.result }
    })
    for (const redacted of [false, true]) {
      const found = await verify(await bundleOf(reversed, { redacted }))
      expect([found.valid, found.differences]).toEqual([true, []])
    }
  })

  it("is the same in-toto statement for EC keys, whose signature names another signer", async () => {
    const other = createKeys("ec")
    const bundle = await bundleOf([candidate], { key: other.key })
    expect(await verify(bundle, { trusted: [other.trusted] })).toMatchObject({ valid: true })
    const unknown = await verify(bundle)
    expect([unknown.valid, unknown.signer.trusted, unknown.differences_total]).toEqual([false, false, 0])
    const { payload } = readEnvelope(bundle.subarray(0, bundle.indexOf("\n")).toString())
    expect(JSON.parse(payload.toString())).toMatchObject({
      _type: expect.stringMatching(/\/Statement\/v1$/),
      predicateType: expect.stringMatching(/\/verdict\/v1$/),
      subject: [{ name: "rows.csv", digest: { sha256: "ab".repeat(32) } }],
    })
  })

  it("names every changed byte", verifies("bundles.bytes"), async () => {
    await fc.assert(byteChanges(await bundleOf(sides)), { numRuns: 60 })
  })

  it("shows a statement that was changed after it was signed, also where nothing can be computed", async () => {
    const bundle = await bundleOf([candidate])
    const other = signedAgain(bundle, ({ predicate }) => void (predicate.created_at = "2030-01-01T00:00:00.000Z"))
    const { signatures } = JSON.parse(bundle.toString().split("\n")[0] ?? "") as { readonly signatures: object[] }
    const [line = "", ...rows] = other.toString().split("\n")
    const envelope = canonicalJson({ ...(JSON.parse(line) as object), signatures })
    const found = await verify(Buffer.from([envelope, ...rows].join("\n")))
    expect([found.valid, found.signer.trusted, found.differences.map(({ what }) => what)]).toEqual([
      false,
      false,
      ["signature"],
    ])
  })

  it("names a score, an aggregate, a gate and a verdict that do not follow from the rows, although they are signed", async () => {
    const wrong = { ...rowOf(3, false), scores: { contains: { "string-check": 0 }, judge: { quality: 4 } } }
    const rows = [rowOf(0, true), rowOf(1, false), rowOf(2, false), wrong]
    const ofRow = await verify(await bundleOf([await sideOf(rows)]))
    expect(ofRow.differences).toEqual([
      { what: "candidate: qa, row 4: contains.string-check", stored: 0, recomputed: 1 },
      { what: "candidate: qa, row 4: judge.quality", stored: 4, recomputed: 5 },
    ])
    const bundle = await bundleOf(sides)
    const changed = signedAgain(bundle, ({ predicate }) => {
      const stats = predicate.sides[0]?.result.tasks["qa"]?.metrics["contains"]?.scores["string-check"]?.stats
      if (stats !== undefined) stats.mean = 0.99
      Object.assign(predicate.sides[0]?.gates[0] ?? {}, { verdict: "PASS", value: 0.99 })
      if (predicate.comparison !== null) predicate.comparison.verdict = "PASS"
      predicate.verdict = "PASS"
    })
    const { valid, differences } = await verify(changed)
    expect([valid, differences.map(({ what }) => what)]).toEqual([
      false,
      expect.arrayContaining([
        "candidate: result.tasks.qa.metrics.contains.scores.string-check.stats.mean",
        "candidate: gates.0.value",
        "comparison.verdict",
      ]),
    ])
  })

  it(
    "keeps rows elsewhere: without them nothing is valid, and with them everything is",
    verifies("bundles.never-valid"),
    async () => {
      const bundle = await bundleOf(sides, { placement: "reference" })
      expect(await verify(bundle)).toMatchObject({ valid: false, rows_missing: ["candidate", "baseline"] })
      const files = await Promise.all(
        sides.toReversed().map(async ({ rows }) => fileOf(Buffer.concat(await Array.fromAsync(rows())))),
      )
      expect(await verify(bundle, { rows: files })).toMatchObject({ valid: true, recomputed: { pure: 24 } })
      const wrong = await verify(bundle, { rows: files.map(() => fileOf(Buffer.from("{}\n"))) })
      expect([wrong.valid, wrong.differences[0]?.what]).toEqual([false, "candidate: line 1 of the rows"])
    },
  )

  it("leaves out texts if it is redacted, and keeps the proof of scores", verifies("bundles.redacted"), async () => {
    const bundle = await bundleOf(sides, { redacted: true })
    const [envelope = "", ...rows] = bundle.toString().split("\n")
    const text = readEnvelope(envelope).payload.toString() + rows.join("\n")
    expect(text).not.toMatch(/question|no idea|It is|Rate|\{\{|127\.0\.0\.1|rows\.csv|\.\/eval/)
    expect(rows[0]).toMatch(
      /"scores":\{"contains":\{"string-check":0\},"judge":\{"quality":1\}\}.*"sealed":"[0-9a-f]{64}"/,
    )
    expect(await verify(bundle)).toMatchObject({
      valid: true,
      redacted: true,
      recomputed: { pure: 0, judged: 0, taken: 48, scores: 4, gates: 2, comparison: true },
    })
    const whole = await bundleOf(sides)
    const verdictOf = async (one: Buffer) => (await verify(one)).verdict
    expect(await verdictOf(bundle)).toBe(await verdictOf(whole))
  })
})
