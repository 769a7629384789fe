import { describe, expect, it } from "vitest"
import { lookedAt } from "./reading/looked-at.ts"
import { readText } from "./reading/repository.ts"

type Unit = "count" | "bytes" | "ms"

/** The first cell of a row, the unit, a source file, and the text before the number in it. Several numbers are in the order of the row. */
const LIMITS: readonly (readonly [row: string, unit: Unit, file: string, ...before: string[]])[] = [
  ["A segment of the path (a parameter)", "count", "apps/server/src/app.ts", "maxParamLength: "],
  ["A JSON or form body", "bytes", "apps/server/src/http/body-parsers.ts", "MAX_JSON_BODY = "],
  ["Levels of objects and lists in JSON", "count", "packages/json/src/json-limits.ts", "depth: "],
  ["Objects, lists and keys in JSON, together", "count", "packages/json/src/json-limits.ts", "parts: "],
  ["Elements and properties in JSON, together", "count", "packages/json/src/json-limits.ts", "values: "],
  ["Keys of one object in JSON", "count", "packages/json/src/json-limits.ts", "keys: "],
  ["Parts of a multipart upload", "count", "packages/http/src/server/upload-body.ts", "MAX_PARTS = "],
  ["Fields of a form", "count", "packages/schemas/src/validation/request-bodies.ts", "MAX_FIELDS = "],
  ["Age of an unfinished resumable upload", "ms", "apps/server/src/serve.ts", "UPLOAD_LIFETIME_MS = "],
  ["A line of a hub commit", "bytes", "packages/hub/src/commit-lines.ts", "MAX_LINE_BYTES = "],
  ["Lines of a hub commit", "count", "packages/hub/src/commits/receive-commit.ts", "MAX_LINES = "],
  ["The title of a hub commit", "count", "packages/schemas/src/hub/hub-commit.ts", "MAX_TITLE = "],
  ["Objects of a Git LFS batch", "count", "packages/schemas/src/hub/lfs-batch.ts", "maxItems: "],
  [
    "Wait for a record that another server locks",
    "ms",
    "packages/registry/src/database/postgres/open.ts",
    "LOCK_WAIT_MS = ",
  ],
  [
    "Failed tokens of a client within a minute",
    "count",
    "apps/server/src/auth/open-authentication.ts",
    "FAILED_TOKENS_A_MINUTE = ",
  ],
  [
    "Names of filesets, models, projects, secrets, configurations",
    "count",
    "packages/schemas/src/guardrails/guardrail-configuration.ts",
    "maxLength: ",
  ],
  [
    "Descriptions",
    "count",
    "packages/schemas/src/filesets/fileset.ts",
    "description: Type.Optional(Type.String({ maxLength: ",
  ],
  [
    "`custom_fields` of a fileset or model, as JSON",
    "count",
    "packages/registry/src/records/write-records.ts",
    "custom_fields: ",
  ],
  ["`metadata` of a fileset, as JSON", "count", "packages/registry/src/records/write-records.ts", "metadata: "],
  [
    "Tasks of an evaluation configuration",
    "count",
    "packages/schemas/src/evaluation/evaluation-config.ts",
    "EvaluationTask, { maxProperties: ",
  ],
  [
    "Metrics of a task",
    "count",
    "packages/schemas/src/evaluation/evaluation-config.ts",
    "MetricConfig, { maxProperties: ",
  ],
  [
    "Names of tasks and metrics in an evaluation configuration",
    "count",
    "packages/schemas/src/evaluation/evaluation-config.ts",
    "NAME = { maxLength: ",
  ],
  [
    "Rows that are written out in an evaluation target",
    "count",
    "packages/schemas/src/evaluation/evaluation-target.ts",
    "Type.Unknown()), { maxItems: ",
  ],
  ["Columns of a CSV file", "count", "packages/contents/src/formats/csv/csv-record.ts", "MAX_COLUMNS = "],
  ["Keys of a row above 512 KiB", "count", "packages/contents/src/formats/json/read-json.ts", "MAX_KEYS = "],
  [
    "Keys and texts of a row above 512 KiB",
    "count",
    "packages/contents/src/formats/json/read-json.ts",
    "MAX_STRINGS = ",
  ],
  [
    "Elements and properties of a row above 512 KiB",
    "count",
    "packages/contents/src/formats/json/read-json.ts",
    "MAX_VALUES = ",
  ],
  ["Rows on a page, as JSON", "bytes", "packages/contents/src/pages/read-rows-page.ts", "MAX_CHARACTERS = "],
  ["Rows of a live evaluation", "count", "packages/schemas/src/evaluation/live-evaluation.ts", "MAX_LIVE_ROWS = "],
  ["An answer or a reference", "count", "packages/scoring/src/metrics/texts/compared-texts.ts", "MAX_CHARACTERS = "],
  [
    "All references of a row, and the answer counted once per reference",
    "count",
    "packages/scoring/src/metrics/texts/compared-texts.ts",
    "MAX_COMPARED = ",
  ],
  [
    "Shifts of words that `ter` tries for an answer and a reference",
    "count",
    "packages/metrics/src/scores/ter/translation-edits.ts",
    "MAX_SHIFTS_TRIED = ",
  ],
  ["A whole answer", "bytes", "packages/inference/src/transport/answer-limits.ts", "  bytes: "],
  ["Levels of objects and lists in it", "count", "packages/inference/src/transport/answer-limits.ts", "depth: "],
  ["Objects, lists and keys in it, together", "count", "packages/inference/src/transport/answer-limits.ts", "parts: "],
  ["A streamed answer", "bytes", "packages/inference/src/transport/answer-limits.ts", "streamBytes: "],
  ["An event of a stream", "bytes", "packages/inference/src/transport/answer-limits.ts", "eventBytes: "],
  [
    "All answers received at the same time",
    "bytes",
    "apps/server/src/outbound/open-shared-inference.ts",
    "MAX_ANSWER_BYTES = ",
  ],
  ["All parameters of a filter", "count", "packages/schemas/src/filter/filter-limits.ts", "length: "],
  [
    "Levels of `$and`, `$or`, `$not` and parentheses",
    "count",
    "packages/schemas/src/filter/filter-limits.ts",
    "depth: ",
  ],
  ["Comparisons", "count", "packages/schemas/src/filter/filter-limits.ts", "comparisons: "],
  ["Groups and negations", "count", "packages/schemas/src/filter/filter-limits.ts", "groups: "],
  ["Values", "count", "packages/schemas/src/filter/filter-limits.ts", "values: "],
  [
    "Keys of a path below `metadata` or `custom_fields`",
    "count",
    "packages/schemas/src/filter/filter-limits.ts",
    "path: ",
  ],
  ["Filters of a request", "count", "packages/schemas/src/evaluation/row-listing.ts", "MAX_FILTERS = "],
  [
    "Rows that one request searches for texts",
    "bytes",
    "packages/results/src/row-index/search/search-journal.ts",
    "MAX_BYTES = ",
  ],
  [
    "Searches for texts, and comparisons of jobs, at a time",
    "count",
    "packages/results/src/row-index/search/search-journal.ts",
    "AT_ONCE = ",
  ],
  [
    "Rows of a page, with those of another job beside them",
    "bytes",
    "packages/results/src/row-index/read-rows.ts",
    "MAX_PAGE_BYTES = ",
  ],
  ["Files in a hub repository's info", "count", "packages/hub/src/describe-repository.ts", "MAX_SIBLINGS = "],
  ["Entries of a hub tree", "count", "packages/hub/src/list-tree.ts", "MAX_TREE_PAGE = ", "MAX_TREE_PAGE = "],
  ["Workers of one job", "count", "packages/jobs/src/shards/cut-plan.ts", "MAX_WORKERS = "],
]

/** Sentences of the page with the numbers in them. */
const SENTENCES: readonly (readonly [sentence: string, file: string, before: string, value: number])[] = [
  ["Their\ntexts are cut at 1,400 characters", "packages/registry/src/audit/store-records.ts", "MAX_TEXT = ", 1400],
  [
    "For a body with more than 5,000 values",
    "packages/schemas/src/validation/request-checks.ts",
    "MAX_VALUES = ",
    5000,
  ],
  ["ends the transaction after 10 s", "packages/registry/src/database/postgres/open.ts", "STUCK_MS = ", 10_000],
  [
    "less than 64 KiB a second end after 30 seconds",
    "packages/http/src/server/outgoing-bytes.ts",
    "GRACE_MS = ",
    30_000,
  ],
  ["The limit is at least 256 MiB", "apps/server/src/settings/limits-by-memory.ts", "MIN_OUTGOING_BYTES = ", 2 ** 28],
  ["remembers the failures of 10,000 clients", "packages/access/src/failure-limit.ts", "MAX_CLIENTS = ", 10_000],
  ["The first 256 KiB of each answer", "packages/inference/src/transport/answer-limits.ts", "FREE_BYTES = ", 2 ** 18],
  ["has at most 32 MiB of JSON", "packages/registry/src/records/read-records.ts", "MAX_PAGE_BYTES = ", 2 ** 25],
  ["at most 200 characters\nof a value", "packages/schemas/src/text/bound-text.ts", "MAX_VALUE = ", 200],
  ["800 of a message", "packages/schemas/src/text/bound-text.ts", "MAX_MESSAGE = ", 800],
  ["have at most 4,000 characters", "packages/schemas/src/errors/assay-error.ts", "MAX_STORED = ", 4000],
  ["at most 1,000 names are compared", "packages/schemas/src/text/nearest-names.ts", "MAX_NAMES = ", 1000],
  ["waits 15 s for a locked path", "packages/storage/src/local/system-locks.ts", "MAX_WAIT_MS = ", 15_000],
  ["which end after 15 s", "packages/registry/src/jobs/job-run.ts", "JOB_LEASE_MS = ", 15_000],
]

const page = readText("docs/reference/limits.md")
const rows = new Map(
  page.split("\n").flatMap((line): readonly (readonly [string, string])[] => {
    const [, first = "", ...rest] = line.split("|").map((cell) => cell.trim())
    return line.startsWith("|") && first !== "" && !/^-+$/.test(first) ? [[first, rest.join(" | ")]] : []
  }),
)

/** Returns the first number after a text in a source file, such as `16 * 1024 * 1024`. */
function numberAfter(file: string, before: string): number {
  const found = readText(file)
    .split(before)
    .slice(1)
    .map((rest) => /^[\d_]+(?: \* [\d_]+)*/.exec(rest)?.[0])
    .find((number) => number !== undefined)
  if (found === undefined)
    throw new Error(`'${file}' has no number after '${before}': correct the table of this check.`)
  return found.split(" * ").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1)
}

function format(value: number, unit: Unit): string {
  if (unit === "ms") return value >= 3_600_000 ? `${value / 3_600_000} h` : `${value / 1000} s`
  if (unit === "count") return value.toLocaleString("en")
  return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`
}

describe("the page of limits", () => {
  it("has the numbers of the code in its tables", () => {
    const wrong = lookedAt("limit", LIMITS).flatMap(([row, unit, file, ...before]) => {
      const wanted = before.map((text) => format(numberAfter(file, text), unit))
      const cells = rows.get(row) ?? "no row"
      const isThere = new RegExp(`(?<![\\d,])${wanted.join(" +\\| ")}(?![\\d,]*\\d)`).test(cells)
      return isThere ? [] : [`${row}: ${cells}, and ${file} has ${wanted.join(", ")}`]
    })
    expect(wrong).toEqual([])
  })

  it("has the numbers of the code in its sentences", () => {
    const words = page.replaceAll("\n", " ")
    const wrong = lookedAt("sentence", SENTENCES).flatMap(([sentence, file, before, value]) => [
      ...(words.includes(sentence.replaceAll("\n", " ")) ? [] : [`The page does not say '${sentence}'.`]),
      ...(numberAfter(file, before) === value ? [] : [`${file} has ${numberAfter(file, before)}: '${sentence}'`]),
    ])
    expect(wrong).toEqual([])
  })
})
