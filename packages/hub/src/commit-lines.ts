import { isUtf8 } from "node:buffer"
import { AssayError, checkJsonShape, HUB_COMMIT_LINES, printable } from "@assay/schemas"
import { findDuplicateKey } from "@assay/json"
import { compileCheck } from "@assay/validation"
import type { CommitLine } from "./commits/receive-commit.ts"

/** Room for a file of 10 MiB in base64, and more. `preupload` sends larger files through LFS. */
const MAX_LINE_BYTES = 33_554_432

const NEWLINE = 10
const MAX_SHOWN_KEY = 100

/** Reads the lines of a commit as they arrive, with one line in memory at a time. @throws `bad_request`, `too_large`, `invalid_request` */
export type ReadCommitLines = (body: AsyncIterable<Uint8Array>) => AsyncGenerator<CommitLine>

/** Creates the reader of commit lines. Create it once: compiling the checks takes longer than reading most commits. */
export function createCommitLines(): ReadCommitLines {
  const parse = createParser()
  return async function* read(body) {
    let count = 0
    for await (const line of splitLines(body)) {
      count += 1
      // A replacement character would be stored instead of each wrong byte.
      if (!isUtf8(line)) throw new AssayError("bad_request", `Line ${count} of the commit is not UTF-8.`)
      const text = line.toString("utf8").trim()
      if (text !== "") yield parse(text, count)
    }
  }
}

async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    let start = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)])
      begun = []
      size = 0
      start = end + 1
    }
    begun.push(piece.subarray(start))
    size += piece.byteLength - start
    if (size > MAX_LINE_BYTES) {
      throw new AssayError(
        "too_large",
        `A line of the commit has more than ${MAX_LINE_BYTES} bytes; send large files through LFS.`,
      )
    }
  }
  yield Buffer.concat(begun)
}

function createParser(): (text: string, count: number) => CommitLine {
  const checks = new Map(Object.entries(HUB_COMMIT_LINES).map(([key, schema]) => [key, compileCheck(schema)]))
  return (text, count) => {
    const bad = (reason: string) => new AssayError("bad_request", `Line ${count} of the commit ${reason}.`)
    checkJsonShape(text, ["body", count])
    const line = readJson(text)
    const twice = findDuplicateKey(text, line, false)
    if (twice !== undefined) {
      const key = printable(twice.key.slice(0, MAX_SHOWN_KEY))
      throw bad(`has the key '${key}' twice in one object, at position ${twice.at}; keep one value of it`)
    }
    if (line === undefined) throw bad("is not a JSON object with the fields key and value")
    const check = checks.get(String(line.key))
    if (check === undefined)
      throw bad(`has the key '${String(line.key)}'; use one of ${Object.keys(HUB_COMMIT_LINES).join(", ")}`)
    const checked = check(line.value)
    if (!checked.valid)
      throw bad(`is wrong: ${checked.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")}`)
    return { key: line.key, value: checked.value } as CommitLine
  }
}

function readJson(text: string): { readonly key: unknown; readonly value: unknown } | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === "object" && line !== null && "key" in line && "value" in line ? line : undefined
  } catch {
    return undefined
  }
}
