import { storedRows } from "@assay/evaluation"
import { resultScores, type ScoreGate, scoreGates } from "@assay/results"
import { AssayError, printable } from "@assay/schemas"
import { canonicalJson } from "../canonical-json.ts"
import { signEnvelope } from "../envelope/dsse-envelope.ts"
import type { SigningKey } from "../envelope/signing-key.ts"
import { measureRows, type RowsDigest } from "../rows/measure-rows.ts"
import { splitLines } from "../rows/split-lines.ts"
import { compareSides, verdictOf } from "../sides/compare-sides.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import { planSide, type ReadableSide } from "../sides/plan-side.ts"
import { type LabelsInput, labelsNameTexts, labelsOfBundle, withLabels } from "./bundle-labels.ts"
import { describeSide, type RowsPlacement } from "./describe-side.ts"
import { redactRows, redactionSecret } from "./redact-rows.ts"
import { createFileNames, redactSide } from "./redact-side.ts"
import type { SideOfBundle } from "./side-input.ts"
import { subjectsOf } from "../statement/subjects.ts"
import {
  type BundleSide,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  type VerdictStatement,
} from "../statement/verdict-statement.ts"
import type { DescribedTask } from "../statement/described-task.ts"

export interface CreateBundleOptions extends EvidencePorts {
  readonly key: SigningKey
  readonly placement: RowsPlacement
  readonly redacted: boolean
  /** How much worse than the baseline a score may be. */
  readonly margin: number
  readonly allowChanged: boolean
  /** Gates on the candidate besides those of its results. */
  readonly gates: readonly ScoreGate[]
  /** Labels of people: scores of judges are then compared as people would see them. */
  readonly labels?: LabelsInput | undefined
  /** The version of the program. */
  readonly assay: string
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number
}

/** A bundle that is signed, and not written yet. */
export interface CreatedBundle {
  readonly statement: VerdictStatement
  /** Yields the bytes of the file. */
  readonly bytes: () => AsyncGenerator<Buffer | string, void>
}

/**
 * Creates the bundle of results. Rows are read a few times and not kept.
 * @throws `bad_usage` for a redacted bundle whose gates compare with other results, or whose comparison has labels; `bad_document` for results without rows
 */
export async function createBundle(
  inputs: readonly SideOfBundle[],
  options: CreateBundleOptions,
): Promise<CreatedBundle> {
  const { key, placement, redacted, margin, allowChanged, signal } = options
  if (redacted && options.labels !== undefined) throw labelsNameTexts()
  const whole = inputs.map((input): ReadableSide => {
    const given = input.role === "candidate" ? withGates(input, options.gates) : input
    return { side: describeSide(given, NO_ROWS, placement), rows: input.rows }
  })
  const read = redacted ? await redactSides(whole, options) : await labelledSides(inputs, whole, options)
  const sides: ReadableSide[] = []
  for (const one of read) {
    const rows = { placement, ...(await digestOf(one, signal)) }
    sides.push({ ...one, side: asSigned({ ...one.side, rows }) })
  }
  const described = sides.map(({ side }) => side)
  const labels = options.labels && labelsOfBundle(options.labels, described)
  const comparison = await compareSides(sides, { margin, allowChanged, labels, signal })
  const statement: VerdictStatement = {
    _type: STATEMENT_TYPE,
    subject: subjectsOf(described),
    predicateType: PREDICATE_TYPE,
    predicate: {
      assay: options.assay,
      created_at: new Date(options.createdAt).toISOString(),
      signer: { keyid: key.keyid, public_key: key.publicKey },
      redacted,
      sides: described,
      comparison,
      ...(labels === undefined ? {} : { labels }),
      verdict: verdictOf(described, comparison),
    },
  }
  const envelope = signEnvelope(Buffer.from(canonicalJson(statement)), key)
  return { statement, bytes: () => bytesOf(envelope, placement === "inside" ? sides : [], signal) }
}

/** The digest of rows that are not read yet. */
const NO_ROWS: RowsDigest = { count: 0, bytes: 0, sha256: "", root: "", checks: "" }

/** Adds the outcomes of gates to results. @throws `invalid_request` for a score that they do not have; `bad_usage` for a limit that every value keeps or breaks */
function withGates(input: SideOfBundle, gates: readonly ScoreGate[]): SideOfBundle {
  if (gates.length === 0) return input
  const { job, result } = input
  const scores = resultScores.list(result)
  for (const { name, limit } of gates) {
    const score = resultScores.find(scores, name)
    const fault = score === undefined ? undefined : scoreGates.limitFault(job.config, score, limit)
    if (fault !== undefined) throw new AssayError("bad_usage", `A gate can't be kept or broken: ${fault}`)
  }
  const known = Array.isArray(job.gates) ? (job.gates as unknown[]) : []
  return { ...input, job: { ...job, gates: [...known, ...scoreGates.check(result, gates)] } }
}

/** Adds the labels by which means are corrected. */
async function labelledSides(
  inputs: readonly SideOfBundle[],
  whole: readonly ReadableSide[],
  ports: EvidencePorts,
): Promise<readonly ReadableSide[]> {
  const labelled: ReadableSide[] = []
  for (const [at, input] of inputs.entries()) {
    const one = whole[at]
    if (one !== undefined) labelled.push(await withLabels(one, input, { sides: whole, ports }))
  }
  return labelled
}

/** Leaves texts out of sides and of their rows. */
async function redactSides(
  whole: readonly ReadableSide[],
  options: CreateBundleOptions,
): Promise<readonly ReadableSide[]> {
  const jobs = whole.map(({ side }) => side.id)
  const secret = redactionSecret(options.key.secret(), jobs)
  const names = createFileNames()
  const redacted: ReadableSide[] = []
  for (const one of whole) {
    checkRedactable(one.side)
    const plan = await planSide(one, whole, options)
    const tasks = plan.tasks.map(storedRows.describe)
    await plan.close()
    const rows = (signal?: AbortSignal) => redactRows(one.rows(signal), tasks, secret)
    redacted.push({ side: { ...redactSide(one.side, names), tasks: plain(tasks) }, rows })
  }
  return redacted
}

/** Returns a side as its reader has it: a comparison lists scores in the order of the keys, and the statement sorts them. */
function asSigned(side: BundleSide): BundleSide {
  return JSON.parse(canonicalJson(side)) as BundleSide
}

/** Returns a value as JSON holds it. */
function plain(tasks: readonly DescribedTask[]): NonNullable<BundleSide["tasks"]> {
  return JSON.parse(JSON.stringify(tasks)) as NonNullable<BundleSide["tasks"]>
}

/** @throws `bad_usage` */
function checkRedactable({ name, config }: BundleSide): void {
  const against = config.params?.gates?.find((gate) => gate.against !== undefined)?.against
  if (against === undefined) return
  const message = `'${printable(name)}' has a gate against '${printable(against)}', whose name is a text: it can't be left out. Make a bundle without --redact.`
  throw new AssayError("bad_usage", message)
}

async function digestOf({ rows }: ReadableSide, signal: AbortSignal): Promise<RowsDigest> {
  const measure = measureRows()
  for await (const lines of splitLines(rows(signal))) {
    signal.throwIfAborted()
    for (const line of lines) measure.add(line)
  }
  return measure.digest()
}

const LINE_END = "\n"

async function* bytesOf(
  envelope: string,
  sides: readonly ReadableSide[],
  signal: AbortSignal,
): AsyncGenerator<Buffer | string, void> {
  yield `${envelope}${LINE_END}`
  for (const { rows } of sides) {
    let last: Buffer | undefined
    for await (const piece of rows(signal)) {
      yield piece
      last = piece.subarray(-1)
    }
    if (last !== undefined && last.toString() !== LINE_END) yield LINE_END
  }
}
