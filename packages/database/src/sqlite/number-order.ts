import { canonicalDecimal, numberText, plainNumber, type ExactNumber } from "@assay/json"
import { sql, type Expression } from "kysely"

/** Nearer numbers are compared by their digits: the nearest doubles of both may be equal, or one apart. */
const NEAR = 1e-12

interface StoredNumber {
  /** Its text in JSON. */
  readonly text: Expression<unknown>
  /** Its value, as SQLite reads it. */
  readonly value: Expression<unknown>
}

/**
 * Returns how a stored number compares with a bound: -1, 0 or 1. SQLite compares doubles, which have about 16 digits. Numbers that are
 * that near have the same digits at the beginning, so their other digits decide.
 */
export function orderOf({ text, value }: StoredNumber, bound: number | ExactNumber): Expression<number> {
  const written = numberText(bound) ?? "0"
  const [sign, digits] = partsOf(written)
  const near = plainNumber(written) ?? Number(written)
  // Every stored number is finite, and only zero is stored as 0.
  if (!Number.isFinite(near)) return sql`${sql.lit(-sign)}`
  const number = sql`cast(${value} as real)`
  if (digits === "") return sql`case when ${number} < 0 then -1 when ${number} > 0 then 1 else 0 end`
  if (near === 0)
    return sql`case when ${number} * ${sql.lit(sign)} > 0 then ${sql.lit(sign)} else ${sql.lit(-sign)} end`
  const margin = Math.abs(near) * NEAR
  return sql`case when ${number} < ${near - margin} then -1 when ${number} > ${Math.min(near + margin, Number.MAX_VALUE)} then 1
    else ${orderOfDigits(text, digits, sign)} end`
}

/** Compares the digits of two numbers of one sign and of about the same size. */
function orderOfDigits(text: Expression<unknown>, wanted: string, sign: number): Expression<number> {
  const json = sql`lower(${text})`
  const mantissa = sql`replace(substr(${json}, 1, instr(${json} || 'e', 'e') - 1), '.', '')`
  const digits = sql`rtrim(ltrim(${mantissa}, '-0'), '0')`
  const above = sql.lit(sign)
  const below = sql.lit(-sign)
  // 9.99 and 10.01 are near, too: the one that begins with 9 has a digit less.
  if (wanted.startsWith("1")) {
    return sql`case when ${digits} >= '5' or ${digits} < ${wanted} then ${below} when ${digits} > ${wanted} then ${above} else 0 end`
  }
  const first = wanted >= "5" ? sql`${digits} < '2' or ` : sql``
  return sql`case when ${first}${digits} > ${wanted} then ${above} when ${digits} < ${wanted} then ${below} else 0 end`
}

/** Returns the sign of a number, and its digits without zeros at both ends. */
function partsOf(text: string): readonly [sign: -1 | 1, digits: string] {
  const [, minus, digits = ""] = /^(-?)0\.?(\d*)/u.exec(canonicalDecimal(text)) ?? []
  return [minus === "-" ? -1 : 1, digits]
}
