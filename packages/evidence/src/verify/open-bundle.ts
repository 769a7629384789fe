import { findJsonExcess } from "@assay/json"
import { AssayError } from "@assay/schemas"
import { compileCheck } from "@assay/validation"
import { canonicalJson } from "../canonical-json.ts"
import { VerdictStatement } from "../statement/verdict-statement.ts"
import { readEnvelope, refused, type SignedEnvelope } from "../envelope/dsse-envelope.ts"
import { CHECK_BYTES } from "../rows/measure-rows.ts"

/** A file that is read in parts. */
export interface BundleFile {
  readonly size: number
  /** Reads the bytes from `start` up to `end`. */
  readonly read: (start: number, end: number, signal?: AbortSignal) => AsyncIterable<Buffer>
}

export interface OpenedBundle {
  readonly envelope: SignedEnvelope
  readonly statement: VerdictStatement
  /** The first byte of the rows of each side. */
  readonly starts: readonly number[]
}

/** Maximum number of bytes of the envelope: a statement of 64 MiB in base64. */
const MAX_ENVELOPE = 90 * 1024 * 1024
const LIMITS = { depth: 64, parts: 4_000_000, values: 8_000_000, keys: 200_000 } as const
/** Maximum number of rows of a side. */
const MAX_ROWS = 50_000_000
const NEWLINE = 10
const checkStatement = compileCheck(VerdictStatement)

/**
 * Opens a bundle. Only its one form is accepted: the envelope as canonical JSON, with a statement that is canonical JSON, a line end, and the rows
 * of each side, with as many bytes as the statement says.
 * @throws `bad_document`
 */
export async function openBundle(file: BundleFile, signal: AbortSignal): Promise<OpenedBundle> {
  const { text, end } = await readFirstLine(file, signal)
  const envelope = readEnvelope(text)
  const statement = parseStatement(envelope.payload)
  checkRoles(statement)
  const starts: number[] = []
  let next = end
  for (const { rows, name } of statement.predicate.sides) {
    if (rows.count > MAX_ROWS) throw refused(`'${name}' has ${rows.count} rows, and the limit is ${MAX_ROWS}`)
    if (rows.checks.length !== 4 * Math.ceil((rows.count * CHECK_BYTES) / 3)) {
      throw refused(`the checks of the rows of '${name}' do not fit their number`)
    }
    starts.push(next)
    if (rows.placement === "inside") next += rows.bytes
  }
  if (next !== file.size) throw refused(`it has ${file.size} bytes, and its statement says ${next}`)
  return { envelope, statement, starts }
}

/** A second candidate would be a job whose gates and status no verdict counts. Tasks without texts replace those of the configuration if they are redacted. */
function checkRoles({ predicate: { sides, redacted } }: VerdictStatement): void {
  const other = sides.find(({ tasks }) => (tasks !== undefined) !== redacted)
  if (other !== undefined) {
    throw refused(
      `'${other.name}' has ${redacted ? "no tasks without texts" : "tasks without texts"}, and the bundle is ${redacted ? "" : "not "}redacted`,
    )
  }
  const [candidates = 0, baselines = 0] = (["candidate", "baseline"] as const).map(
    (role) => sides.filter((side) => side.role === role).length,
  )
  if (candidates === 1 && baselines <= 1) return
  throw refused(`it has ${candidates} candidates and ${baselines} baselines, and a bundle has 1 and at most 1`)
}

async function readFirstLine(
  file: BundleFile,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly end: number }> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of file.read(0, Math.min(file.size, MAX_ENVELOPE), signal)) {
    const at = piece.indexOf(NEWLINE)
    pieces.push(at === -1 ? piece : piece.subarray(0, at))
    size += at === -1 ? piece.length : at
    if (at !== -1) return { text: decode(Buffer.concat(pieces), "its first line"), end: size + 1 }
    if (pieces[0]?.[0] !== 0x7b) break
  }
  throw refused("its first line is not a DSSE envelope")
}

function parseStatement(payload: Buffer): VerdictStatement {
  const text = decode(payload, "the statement")
  const excess = findJsonExcess(text, LIMITS)
  if (excess !== undefined) throw refused(`the statement has too many ${excess.limit} at position ${excess.position}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused("the statement is not JSON")
  }
  if (canonicalJson(value) !== text) throw refused("the statement is not in its canonical form")
  // A copy, because checking fills defaults.
  const checked = checkStatement(structuredClone(value))
  if (checked.valid) return value as VerdictStatement
  const [issue] = checked.issues
  const place = issue?.loc.join(".") ?? ""
  throw refused(
    `${place === "" ? "the statement" : place} is not as the form of a verdict requires (${issue?.msg ?? ""})`,
  )
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new AssayError("bad_document", refused(`${what} is not UTF-8`).message, { cause })
  }
}
