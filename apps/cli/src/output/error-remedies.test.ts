import { tmpdir } from "node:os"
import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import { expect, it } from "vitest"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"
import { describeError, formatError } from "./describe-error.ts"
import { remedyFor } from "./error-remedies.ts"

/** Words of HTTP requests, which the user of a command does not send. */
const HTTP =
  /`detail`|`loc`|`msg`|=true|Retry-After|\bHEAD\b|ETag|If-(None-)?Match|\bheader\b|Content-|x-checksum|skip_valid|page_token|Authorization|multipart/i

const signal = new AbortController().signal
const context = (cwd = tmpdir()) => ({ cwd, env: {}, signal })
const shown = (error: AssayError, words: readonly string[] = [], cwd?: string) =>
  formatError(describeError(error, { usage: words.slice(0, 2).join(" "), words }, context(cwd)))

it("no remedy of a command speaks of requests", () => {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
  const wrong = codes
    .map((code) => remedyFor(new AssayError(code, ""), context()))
    .filter((remedy) => HTTP.test(remedy))
  expect(codes.length).toBeGreaterThan(60)
  expect(wrong).toEqual([])
})

it("a file without the line of its fault is not to be corrected at a place", () => {
  const remedyOf = (message: string) => remedyFor(new AssayError("bad_document", message), context())
  expect(remedyOf("f.yaml:5:5: 'metricss': there is no such key here.")).toMatch(/at the place/)
  expect(remedyOf("The file has 2 faults.\n\n  f.yaml:5:5: 'a': no.")).toMatch(/at the place/)
  expect(remedyOf("The file is not a verdict bundle: its first line is not JSON.")).not.toMatch(/place/)
  expect(remedyOf("'job.json' is not JSON: download the results again.")).not.toMatch(/place/)
})

it("a refused launch names --skip-checks only for faults that a launch without checks can survive", () => {
  const refused = (codes: readonly string[], words: readonly string[] = []) => {
    const failed_checks = codes.map((code) => ({ check: "a", code, message: "b", remedy: "c" }))
    return shown(new AssayError("launch_refused", "", { context: { failed_checks } }), words)
  }
  expect(refused(["inference_unreachable", "model_not_found"])).toContain("or launch without the checks: --skip-checks")
  for (const code of ["budget_exhausted", "dataset_missing", "template_error"])
    expect(refused(["model_not_found", code])).not.toContain("--skip-checks")
  expect(refused(["model_not_found"], ["eval", "run", "--skip-checks"])).not.toContain("--skip-checks")
})

it("each field of a refused request is printed with its rule", () => {
  const issues = [
    { loc: ["body", "storage", "repo_typ"], msg: "Unknown field 'repo_typ'; did you mean 'repo_type'?", type: "x" },
    { loc: ["body", "storage", "repo\u202E"], msg: "Must be string", type: "x" },
  ]
  const text = shown(new AssayError("invalid_request", "body.storage.repo_typ: …", { issues }))
  expect(text).toContain("2 fields can't be accepted.\n\n  storage.repo_typ: Unknown field 'repo_typ'")
  expect(text).toContain("  storage.repo⟨U+202E⟩: Must be string.\n\nCorrect each field")
  const page = { loc: ["query", "page"], msg: "Must be string", type: "x" }
  const one = shown(new AssayError("invalid_request", "query.page: …", { issues: [page] }))
  expect(one).toContain(" page: Must be string.\n\nCorrect")
})

it("something in use is removed by the same command with the option that the message names", () => {
  const used = "Workspace 'a b' contains 1 fileset; remove them first, or delete it with the option 'cascade'."
  expect(shown(new AssayError("in_use", used), ["workspace", "delete", "a b"])).toMatch(
    /or run:\n\n {4}assay workspace delete 'a b' --cascade\n$/,
  )
  const isFixed = shown(new AssayError("in_use", "Workspace 'default' is built in."), ["workspace", "delete"])
  expect(isFixed).toMatch(/\n\nCreate one of your own, which you can change and delete\.\n$/)
  expect(shown(new AssayError("in_use", "Job 'a' is the baseline 'b'."))).toContain(
    "Change or remove first what uses it.",
  )
})

it("a question that nobody can answer is answered by the same command with the option that the message names", () => {
  const asked = new AssayError("bad_usage", "Delete a? There is no terminal: add --yes to delete without a question.")
  expect(shown(asked, ["rm", "a b"])).toMatch(/If that is what you want, run:\n\n {4}assay rm 'a b' --yes\n$/)
  const exists = new AssayError("bad_usage", "'x' exists already: choose another name, or add --force to replace it.")
  expect(shown(exists, ["backup", "x"])).toMatch(/ {4}assay backup x --force\n$/)
  const unclear = new AssayError("bad_usage", "it has no metric; add --metric.")
  expect(shown(unclear, ["label", "add"])).toMatch(/ {4}assay .*--help\n$/)
})

it("the remedy of a missing file of this machine names those beside it", () => {
  using folder = makeTemporaryFolder()
  folder.write("rows.jsonl", "{}\n")
  const missing = (file: string) => new AssayError("not_found", `Can't read '${file}'.`, { context: { file } })
  expect(shown(missing("row.jsonl"), [], folder.path)).toContain("Correct the path: there is 'rows.jsonl'.")
  expect(shown(missing("none/x"), [], folder.path)).toContain("Correct the path: it is a path on this machine.")
})

it("a command that reads the file of `assay init` names that command if it is missing, unless the file was named", () => {
  const missing = new AssayError("not_found", "Can't read it.", { context: { file: "/srv/evaluation.yaml" } })
  expect(shown(missing, ["eval", "run"])).toMatch(/\n\nName an evaluation file, or write one:\n\n {4}assay init\n$/)
  expect(shown(missing, ["eval", "run", "./evaluation.yaml"])).toContain("Correct the path")
})

it("an error that brings its own command is shown with it, quoted for a shell", () => {
  const command = ["assay", "import", "promptfoo", "it's\u001b.yaml"]
  const text = shown(new AssayError("bad_document", "Not ours.", { context: { remedy: "Import it:", command } }), [])
  expect(text).toMatch(/Import it:\n\n {4}assay import promptfoo 'it'\\''s⟨U\+001B⟩\.yaml'\n$/)
})

it("an error that brings its own remedy is shown with that alone", () => {
  const remedy = "Give --server, or write ./a\u001b[2J."
  const text = shown(new AssayError("server_unreachable", "Nobody answers.", { context: { remedy } }), ["eval", "list"])
  expect(text).toMatch(/Nobody answers\.\n\nGive --server, or write \.\/a⟨U\+001B⟩\[2J\.\n$/)
  const usage = new AssayError("bad_usage", "There is nothing at 'a'.", { context: { remedy: "Correct the path." } })
  expect(shown(usage, ["eval", "watch", "a"])).toMatch(/\n\nCorrect the path\.\n$/)
})
