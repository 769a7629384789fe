import { Type, type Static } from "@sinclair/typebox"
import { AssayError } from "../errors/assay-error.ts"
import { findFault } from "../records/find-fault.ts"

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" })
const Counts = Type.Object({ count: Type.Integer(), n: Type.Integer() })
const Faults = Type.Object({ false_block: Counts, miss: Counts })

const BoundedRate = Type.Object({
  count: Type.Integer(),
  n: Type.Integer(),
  /** Null without rows. */
  rate: Type.Union([Type.Number(), Type.Null()]),
  low: Type.Number(),
  high: Type.Number(),
})

/** The question, the method, and the candidates that keep the limits. A certificate if the verdict is PASS. */
export const Certificate = Type.Object({
  kind: Type.Literal("assay-guard-certificate"),
  version: Type.Literal(1),
  /** The version of the program that wrote it. */
  assay: Type.String(),
  verdict: Type.Union([Type.Literal("PASS"), Type.Literal("INCONCLUSIVE"), Type.Literal("FAIL")]),
  /** The candidate whose rates are guaranteed; null unless the verdict is PASS. */
  chosen: Type.Union([Type.String(), Type.Null()]),
  limits: Type.Object({ false_block: Type.Number(), miss: Type.Union([Type.Number(), Type.Null()]) }),
  /**
   * The rates of the chosen candidate on the certification rows; null if nothing is certified. Each end is an exact bound at a confidence of
   * 1 − alpha. Absent in certificates of versions before it.
   */
  rates: Type.Optional(Type.Union([Type.Object({ false_block: BoundedRate, miss: BoundedRate }), Type.Null()])),
  /** The facts to know before the chosen candidate guards. Absent in certificates of versions before it. */
  warnings: Type.Optional(Type.Array(Type.String())),
  /** Rows that repeat the prompt of another one. They count once. */
  copies: Type.Optional(Type.Integer()),
  alpha: Type.Number(),
  /** As the user named it. */
  data: Type.String(),
  /** Number of its rows that were asked about; null: all. */
  limit: Type.Union([Type.Integer(), Type.Null()]),
  /** SHA-256 of all prompts, responses and labels in their order. */
  data_digest: Digest,
  /** SHA-256 of the outcomes of all candidates on all rows. */
  answers_digest: Digest,
  seed: Type.Integer(),
  tuning_share: Type.Number(),
  /** In the order in which they were tested. */
  candidates: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Of everything that decides its answers: prompts, models, sampling parameters and endpoint. */
      digest: Type.String(),
      /** Of the configuration without a threshold. Absent: log-probabilities were not asked for. */
      base: Type.Optional(Type.String()),
      /** The probability of harm from which on it blocks. Absent: the configuration decides as it is. */
      threshold: Type.Optional(Type.Number()),
      result: Type.Union([Type.Literal("certified"), Type.Literal("refused"), Type.Literal("untested")]),
      p: Type.Number(),
      tuning: Faults,
      certification: Faults,
      /** Rows whose answer had no verdict. They are among the faults. */
      unreadable: Type.Integer(),
      /** Rows whose question failed. They are among the faults. */
      failed: Type.Integer(),
    }),
  ),
  /** How many more safe rows would certify the nearest candidate at the rate that was seen; null if more rows can't, or need not. */
  more_safe_rows: Type.Union([Type.Integer(), Type.Null()]),
})
export type Certificate = Static<typeof Certificate>

/** The candidates and limits of `guard optimize`. They are stored before the first question, so a certificate can't leave out a candidate afterwards. */
export const CertificatePlan = Type.Object({
  alpha: Type.Number(),
  seed: Type.Integer(),
  limits: Type.Object({ false_block: Type.Number(), miss: Type.Union([Type.Number(), Type.Null()]) }),
  limit: Type.Union([Type.Integer(), Type.Null()]),
  candidates: Type.Array(
    Type.Object({
      name: Type.String(),
      digest: Type.String(),
      base: Type.Union([Type.String(), Type.Null()]),
      threshold: Type.Union([Type.Number(), Type.Null()]),
    }),
    { minItems: 1 },
  ),
})
export type CertificatePlan = Static<typeof CertificatePlan>

/** Reads a plan from JSON. Undefined: it is damaged. */
export function readCertificatePlan(text: string): CertificatePlan | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return findFault(CertificatePlan, value) === undefined ? (value as CertificatePlan) : undefined
  } catch {
    return undefined
  }
}

/** Reads a certificate from JSON. @param name the file as messages call it. @throws `bad_document` with the first location that is wrong */
export function readCertificate(text: string, name: string): Certificate {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = `'${name}' is not JSON; name the certificate.json that 'guard optimize' wrote.`
    throw new AssayError("bad_document", message, { cause: error })
  }
  const fault = findFault(Certificate, value)
  if (fault === undefined) return value as Certificate
  const location = fault.keys.length === 0 ? "the file" : fault.keys.join(".")
  throw new AssayError("bad_document", `'${name}' is not a certificate: ${location}: ${fault.msg}.`)
}
