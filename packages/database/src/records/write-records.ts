import { invalidRequest, type AssayError } from "@assay/schemas"
import { sql, type RawBuilder } from "kysely"
import type { Database, Queries } from "../database.ts"

/** Maximum characters of free-form fields as JSON. A page can have a hundred records. */
const MAX_CHARACTERS = {
  custom_fields: 262_144,
  spec: 262_144,
  /** Row schemas may have a million characters. */
  metadata: 1_310_720,
} as const

/**
 * Checks the size of free-form fields. It comes before checks that visit each value.
 * @throws `invalid_request` that names the field
 */
export function checkFreeForm(body: Readonly<Partial<Record<keyof typeof MAX_CHARACTERS, unknown>>>): void {
  for (const field of Object.keys(MAX_CHARACTERS) as (keyof typeof MAX_CHARACTERS)[]) {
    const size = body[field] === undefined ? 0 : JSON.stringify(body[field]).length
    const max = MAX_CHARACTERS[field]
    if (size <= max) continue
    const msg = `\`${field}\` has ${size} characters as JSON; ${max} are allowed. Keep what is larger in a file`
    throw invalidRequest(["body", field], msg, "too_large")
  }
}

type Loc = readonly (string | number)[]

/**
 * Checks that every database can store the texts of a body, including keys: PostgreSQL does not accept U+0000, and half of a
 * surrogate pair is not a character.
 * @throws `invalid_request` about the first location
 */
export function checkStorable(body: unknown, loc: Loc = ["body"]): void {
  if (typeof body === "string") return checkText(body, loc)
  if (typeof body !== "object" || body === null) return
  for (const [key, value] of Object.entries(body)) {
    checkText(key, loc)
    checkStorable(value, [...loc, Array.isArray(body) ? Number(key) : key])
  }
}

function checkText(text: string, loc: Loc): void {
  if (!text.includes("\0") && text.isWellFormed()) return
  throw invalidRequest(loc, "Text must not contain U+0000 or half of a surrogate pair", "unstorable_text")
}

interface CreationErrors {
  /** The error if the name is taken. */
  readonly taken: () => AssayError
  /** The error if the workspace does not exist. */
  readonly missingParent?: () => AssayError
}

/**
 * Inserts a record and returns the result of `insert`, which changes few rows. The database decides whether the name is free: of two concurrent
 * inserts, only one succeeds.
 */
export async function createRecord<T>(
  database: Database,
  insert: (queries: Queries) => Promise<T>,
  { taken, missingParent }: CreationErrors,
): Promise<T> {
  try {
    return await database.write(insert, { small: true })
  } catch (error) {
    const failure = database.dialect.failureOf(error)
    if (failure === "taken") throw taken()
    if (failure === "missing_parent" && missingParent !== undefined) throw missingParent()
    throw error
  }
}

/** Returns the present time, but never one before a moment in the row, which another clock may have set. */
export function notBefore(moment: RawBuilder<unknown>, now: number): RawBuilder<number> {
  return sql<number>`case when ${moment} < ${now} then ${now} else ${moment} end`
}

/** Returns the new `updated_at` of a row. It is always later than the old one, even within a millisecond. */
export function changeTime(now: number): RawBuilder<number> {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`
}
