import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../canonical-json.ts"
import { readEnvelope, signEnvelope } from "../envelope/dsse-envelope.ts"
import { measureRows } from "../rows/measure-rows.ts"
import type { VerdictStatement } from "../statement/verdict-statement.ts"
import { bundleOf, key, verify } from "../testing/bundle-of.ts"
import { fileOf, rowOf, sideOf, testPorts } from "../testing/side-of.ts"
import { verifyBundle } from "./verify-bundle.ts"

const bundle = await bundleOf([await sideOf([rowOf(0, true), rowOf(1, false), rowOf(2, false)])])
const end = bundle.indexOf("\n")
const envelope = bundle.subarray(0, end).toString()
const rows = bundle.subarray(end + 1).toString()
const { payload } = readEnvelope(envelope)

/** Signs another payload, with other rows. */
const signed = (text: string, lines = rows) => Buffer.from(`${signEnvelope(Buffer.from(text), key)}\n${lines}`)

/** Signs rows that a signer made up, with their right digests. */
function withRows(lines: readonly string[]): Buffer {
  const measure = measureRows()
  for (const line of lines) measure.add(Buffer.from(line))
  const statement = JSON.parse(payload.toString()) as VerdictStatement
  const [side] = statement.predicate.sides
  if (side !== undefined) side.rows = { placement: "inside", ...measure.digest() }
  return signed(canonicalJson(statement), lines.map((line) => `${line}\n`).join(""))
}

const row = JSON.stringify(rowOf(0, true))
const parsed = JSON.parse(envelope) as { readonly signatures: readonly object[] }
const two = canonicalJson({ ...parsed, signatures: [...parsed.signatures, ...parsed.signatures] })
const many = canonicalJson({ ...parsed, signatures: Array.from({ length: 1000 }, () => parsed.signatures[0]) })
const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`

/** Signs a statement that its signer has changed. */
function withStatement(change: (statement: VerdictStatement) => void, lines = rows): Buffer {
  const statement = JSON.parse(payload.toString()) as VerdictStatement
  change(statement)
  return signed(canonicalJson(statement), lines)
}

/** Signs a statement whose side its signer has changed. */
function withSide(change: (side: VerdictStatement["predicate"]["sides"][number]) => void): Buffer {
  return withStatement(({ predicate: { sides } }) => {
    for (const side of sides) change(side)
  })
}

it("refuses a second candidate, names a subject that is no file of the jobs, and refuses rows that it would not read", async () => {
  const twice = withStatement(({ predicate: { sides } }) => {
    for (const side of sides.slice(0, 1)) sides.push({ ...side, status: "FAILED" })
  }, `${rows}${rows}`)
  await expect(verify(twice)).rejects.toThrow("2 candidates")
  const other = withStatement(
    ({ subject }) => void (subject[0] = { name: "other.csv", digest: { sha256: "0".repeat(64) } }),
  )
  expect((await verify(other)).differences.map(({ what }) => what)).toEqual([
    "subject.0.digest.sha256",
    "subject.0.name",
  ])
  await expect(verify(bundle, { rows: [fileOf(Buffer.from("{}\n"))] })).rejects.toMatchObject({ code: "bad_usage" })
})

it(
  "names what a signer made up: scores of turns and of metrics that the job has not, and another seed",
  verifies("bundles.forged"),
  async () => {
    const [first = "", second = "", third = ""] = rows.split("\n")
    const edited = (change: (row: Record<string, unknown>) => void) => {
      const value = JSON.parse(second) as Record<string, unknown>
      change(value)
      return withRows([first, JSON.stringify(value), third])
    }
    const placesOf = async (forged: Buffer) => (await verify(forged)).differences.map(({ what }) => what)
    const turns = [{ input: [], output_text: "x", scores: { contains: { "string-check": 0.5 } } }]
    expect(await placesOf(edited((row) => void (row["turns"] = turns)))).toEqual([
      "candidate: qa, row 2: contains, turns",
    ])
    expect(await placesOf(edited((row) => Object.assign(row["scores"] as object, { other: { x: 1 } })))).toEqual([
      "candidate: qa, row 2: other",
    ])
    const seed = withSide((side) => void (side.order_seed = 1))
    expect(await placesOf(seed)).toEqual(["candidate: order_seed"])
  },
)

describe("a file that is not a bundle in its one form is refused", () => {
  it.each([
    ["an empty file", Buffer.alloc(0), /not a DSSE envelope/],
    ["a file of another kind", Buffer.from("PK\u0003\u0004"), /not a DSSE envelope/],
    ["a line without an end", Buffer.from(`{${" ".repeat(3_000_000)}`), /not a DSSE envelope/],
    ["two signatures", Buffer.from(`${two}\n${rows}`), /has 2 signatures/],
    ["many signatures", Buffer.from(`${many}\n${rows}`), /with one signature/],
    ["a space in the envelope", Buffer.from(`${envelope.replace(":", ": ")}\n${rows}`), /canonical form/],
    [
      "a key twice in the envelope",
      Buffer.from(`${envelope.replace("{", '{"payload":"",')}\n${rows}`),
      /canonical form/,
    ],
    ["a key twice in the statement", signed(payload.toString().replace("{", '{"_type":"",')), /canonical form/],
    ["a deep statement", signed(`{"a":${deep}}`), /too many depth/],
    ["another statement", signed('{"_type":"x"}'), /form of a verdict/],
    [
      "tasks without texts beside the texts",
      withSide((side) => void (side.tasks = [])),
      /tasks without texts, and the bundle is not redacted/,
    ],
    [
      "texts in a redacted bundle",
      withStatement(({ predicate }) => void (predicate.redacted = true)),
      /no tasks without texts, and the bundle is redacted/,
    ],
    [
      "an earlier attempt behind a later one",
      withRows([row.replace('"attempt":1', '"attempt":2'), row]),
      /line 2 of the rows has an earlier attempt/,
    ],
    ["bytes behind the rows", Buffer.concat([bundle, Buffer.from("\n")]), /bytes, and its statement says/],
    ["fewer bytes than it says", bundle.subarray(0, -1), /bytes, and its statement says/],
    ["a signed row with a key twice", withRows([row.replace("{", '{"task":"x",')]), /has the key "task" twice/],
    ["a signed row that is deep", withRows([row.replace('"question 0?"', deep)]), /nested too deeply/],
    ["a signed row that is none", withRows(["{}"]), /is not a row/],
    [
      "a signed row beyond its job",
      withRows([row.replace('"row_index":0', '"row_index":900000000')]),
      /not one of the 3 units/,
    ],
  ])("%s", async (_name, bytes, message) => {
    const found = verify(bytes)
    await expect(found).rejects.toMatchObject({ code: "bad_document", message: expect.stringMatching(message) })
  })

  it("announced rows are not allocated before they are read", verifies("bundles.hostile"), async () => {
    const statement = JSON.parse(payload.toString()) as VerdictStatement
    const [side] = statement.predicate.sides
    if (side !== undefined) side.rows.bytes = Number.MAX_SAFE_INTEGER - 1_000_000
    const bytes = signed(canonicalJson(statement), "")
    const file = { ...fileOf(bytes), size: bytes.length + (side?.rows.bytes ?? 0) }
    const found = await verifyBundle(file, { ...testPorts(), trusted: [], rows: [] })
    expect([found.valid, found.differences.map(({ what }) => what)]).toEqual([
      false,
      expect.arrayContaining(["candidate: rows.count", "candidate: rows.bytes"]),
    ])
  })
})
