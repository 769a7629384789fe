import { formatCount } from "@assay/reports"
import { AssayError, isAssayError, messageOf } from "@assay/schemas"
import { inToto } from "@assay/signatures"
import { readContainedKey, type PublicKey } from "../envelope/signing-key.ts"
import { subjectsOf } from "../statement/subjects.ts"
import { metricIdentities } from "../statement/metric-identities.ts"
import type { BundleLabels, BundleVerdict, VerdictPredicate } from "../statement/verdict-statement.ts"
import { compareSides, verdictOf } from "../sides/compare-sides.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import { planSide, type ReadableSide } from "../sides/plan-side.ts"
import { countScores, recountSide } from "../sides/recount-side.ts"
import { checkRows } from "./check-rows.ts"
import { matchRows } from "./match-rows.ts"
import { addDifferences, createDifferences, type Difference, type Differences } from "./differences.ts"
import { type BundleFile, openBundle, type OpenedBundle } from "./open-bundle.ts"
import type { ScoreCounts } from "./score-row.ts"

/** A public key that the verifier trusts, with its name, such as that of its file. */
export interface TrustedKey extends PublicKey {
  readonly name: string
}

export interface VerifyOptions extends EvidencePorts {
  readonly trusted: readonly TrustedKey[]
  /** The rows of sides whose rows are not in the bundle, in any order. */
  readonly rows: readonly BundleFile[]
}

/** The result of a verification. */
export interface Verification {
  /** Whether a trusted key has signed the bundle, nothing differs, and all rows were read. */
  readonly valid: boolean
  readonly signer: { readonly keyid: string; readonly name: string | null; readonly trusted: boolean }
  /** The first 100 differences. */
  readonly differences: readonly Difference[]
  readonly differences_total: number
  /** The sides whose rows were out of reach. */
  readonly rows_missing: readonly string[]
  readonly recomputed: ScoreCounts & {
    readonly rows: number
    readonly scores: number
    readonly gates: number
    readonly comparison: boolean
    /** Parts of the results that were not computed from rows. */
    readonly taken_parts: readonly string[]
  }
  readonly redacted: boolean
  /** The version that wrote the bundle. */
  readonly assay: string
  readonly created_at: string
  /** As the bundle says. */
  readonly verdict: BundleVerdict
}

/**
 * Verifies a bundle without a network: its signature, its rows, and everything that can be computed from them.
 * @throws `bad_document` for a file that is not a bundle in its one form; `bad_usage` for more files of rows than it lacks
 */
export async function verifyBundle(file: BundleFile, options: VerifyOptions): Promise<Verification> {
  const opened = await openBundle(file, options.signal)
  const { predicate } = opened.statement
  const differences = createDifferences()
  const signer = checkSignature(opened, options.trusted, differences)
  addDifferences(differences, "subject", opened.statement.subject, subjectsOf(predicate.sides))
  const { sides, missing } = await readableSides(file, opened, options)
  const work: Work = { sides, predicate, differences, options }
  const recomputed = missing.length === 0 ? await recomputeIfPossible(work) : NOTHING
  const { assay, created_at, redacted, verdict } = predicate
  return {
    valid: signer.trusted && differences.total === 0 && missing.length === 0,
    signer,
    differences: differences.list,
    differences_total: differences.total,
    rows_missing: missing,
    recomputed,
    redacted,
    assay,
    created_at,
    verdict,
  }
}

/** Checks the signature with the trusted key, or else with the key in the bundle: then it only shows damage. */
function checkSignature(
  { envelope, statement }: OpenedBundle,
  trusted: readonly TrustedKey[],
  differences: Differences,
): Verification["signer"] {
  const { keyid, payload, signature } = envelope
  const { signer } = statement.predicate
  const found = trusted.find((key) => key.keyid === signer.keyid || key.keyid === keyid)
  const contained = readContainedKey(signer.public_key)
  if (contained.keyid !== signer.keyid) differences.add("signer.keyid", signer.keyid, contained.keyid)
  if (keyid !== signer.keyid) differences.add("signatures.0.keyid", keyid, signer.keyid)
  const isSigned = (found ?? contained).verify(inToto.signingBytes(payload), signature)
  if (!isSigned) differences.add("signature", "a signature of this statement", "not a signature of it by this key")
  const isTrusted = isSigned && found !== undefined
  return { keyid: found?.keyid ?? keyid, name: found?.name ?? null, trusted: isTrusted }
}

interface Work {
  readonly sides: readonly ReadableSide[]
  readonly predicate: VerdictPredicate
  readonly differences: Differences
  readonly options: VerifyOptions
}

const NOTHING = { pure: 0, judged: 0, taken: 0, rows: 0, scores: 0, gates: 0, comparison: false, taken_parts: [] }

/** Finds the rows of each side: in the file, or in one of the given files. */
async function readableSides(
  file: BundleFile,
  { statement, starts }: OpenedBundle,
  { rows: given, signal }: VerifyOptions,
): Promise<{ readonly sides: readonly ReadableSide[]; readonly missing: readonly string[] }> {
  const { sides } = statement.predicate
  const outside = sides.filter(({ rows }) => rows.placement === "reference").length
  if (given.length > outside) {
    const message = `Files of rows: ${given.length} given, and ${outside} needed, because the bundle has the other rows: leave out those that nothing would read.`
    throw new AssayError("bad_usage", message)
  }
  const found = await matchRows(sides, given, signal)
  const missing = sides.flatMap(({ rows, role }, at) =>
    rows.placement === "reference" && found[at] === undefined ? [role] : [],
  )
  const readable = sides.map((side, at): ReadableSide => {
    const start = starts[at] ?? 0
    if (side.rows.placement === "inside") {
      return { side, rows: (stop) => file.read(start, start + side.rows.bytes, stop) }
    }
    const rows = found[at]
    return { side, rows: (stop) => rows?.read(0, rows.size, stop) ?? nothing() }
  })
  return { sides: readable, missing }
}

async function* nothing(): AsyncGenerator<Buffer, void> {}

/** Types of configurations whose rows have the verdicts of guardrails, and not the answers that they were read from alone. */
const JUDGED_TARGETS: ReadonlySet<string> = new Set(["content_safety", "calibration"])

/**
 * Computes everything again. If the signature does not fit the statement, its configuration may be damaged, so that nothing can be computed.
 * @throws `bad_document` for a signed statement that nothing can be computed from
 */
async function recomputeIfPossible(work: Work): Promise<Verification["recomputed"]> {
  const isSigned = work.differences.total === 0
  try {
    return await recompute(work)
  } catch (cause) {
    work.options.signal.throwIfAborted()
    if (!isSigned) return NOTHING
    if (isAssayError(cause, "bad_document")) throw cause
    const message = `The numbers of the bundle can't be computed again: ${messageOf(cause)}`
    throw new AssayError("bad_document", message, { cause })
  }
}

function labelsTaken({ name, rows }: BundleLabels): string {
  return `${formatCount(rows.length, "label")} of people, as ${name} has them`
}

async function recompute({ sides, predicate, differences, options }: Work): Promise<Verification["recomputed"]> {
  const total = { ...NOTHING, taken_parts: [] as string[] }
  let areWhole = true
  for (const readable of sides) {
    const { side } = readable
    const plan = await planSide(readable, sides, options)
    try {
      const checking = { plan, isRedacted: predicate.redacted, differences, ports: options }
      const { isWhole, counts, kept } = await checkRows(readable, checking)
      areWhole &&= isWhole
      total.rows += side.rows.count
      if (!isWhole) continue
      for (const kind of ["pure", "judged", "taken"] as const) total[kind] += counts[kind]
      const { result, gates, taken } = await recountSide({ ...readable, read: kept?.read }, plan, options)
      addDifferences(differences, `${side.role}: result`, side.result, result)
      addDifferences(differences, `${side.role}: gates`, side.gates, gates)
      if (!predicate.redacted) {
        addDifferences(differences, `${side.role}: metrics`, side.metrics, metricIdentities(side.config, side.result))
      }
      total.scores += countScores(result)
      total.gates += gates.length
      if (JUDGED_TARGETS.has(side.config.type)) taken.push("the verdicts of guardrails, as they are in the rows")
      total.taken_parts.push(...taken.map((part) => `${side.role}: ${part}`))
    } finally {
      await plan.close()
    }
  }
  if (!areWhole) return total
  const { comparison, labels } = predicate
  const { margin = 0, allow_changed: allowChanged = false } = comparison ?? {}
  const found = await compareSides(sides, { margin, allowChanged, labels, signal: options.signal })
  addDifferences(differences, "comparison", comparison, found)
  const verdict = verdictOf(predicate.sides, comparison)
  addDifferences(differences, "verdict", predicate.verdict, verdict)
  if (labels !== undefined) total.taken_parts.push(labelsTaken(labels))
  return { ...total, comparison: found !== null }
}
