import type { JudgeFamily, Safety, Verdict } from "@assay/schemas"
import type { RailDirection } from "../../verdict-reading.ts"
import type { KeyGroup, Value } from "../statements/statement.ts"

/** The content of an answer in its canonical form. */
export interface ExactReading {
  readonly user: Safety | null
  readonly response: Safety | null
  /** The list of categories as written. Empty: there is none. */
  readonly categories: readonly string[]
}

/** The form of the answers of one family. */
export interface JudgeFamilyForm {
  readonly family: JudgeFamily
  /** The group of its verdict keys. `bare`: it has no keys. */
  readonly group: KeyGroup
  /** Reads only the canonical form. The result must equal that of the lenient way. */
  readonly readExact: (text: string, direction: RailDirection) => ExactReading | undefined
  /** Reads an answer without keys. The answer is normalised and has no reasoning. */
  readonly readBare?: (text: string) => BareReading
  /** Writes the canonical form of a verdict. */
  readonly format: (verdict: Pick<Verdict, "user_safety" | "response_safety" | "categories">) => string
}

/** All values of an answer without keys. They must all agree. */
export interface BareReading {
  readonly values: readonly Value[]
  readonly categories: readonly string[]
  /** The text beside the values, which must be understood. Default: the whole text, whose words are those of verdicts. */
  readonly rest?: string
}

export const NOTHING_SAID: BareReading = { values: [], categories: [] }

/** Assigns a verdict that names no side to the side that its rail judges. */
export function readingFor(value: Safety, direction: RailDirection, categories: readonly string[] = []): ExactReading {
  return direction === "input"
    ? { user: value, response: null, categories }
    : { user: null, response: value, categories }
}
