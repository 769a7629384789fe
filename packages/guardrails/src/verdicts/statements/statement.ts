import type { Safety } from "@assay/schemas"

/** The subject of a verdict key: one side of the conversation, or the side that the rail judges. */
export type Side = "user" | "response" | "direction"

/** Groups of families with the same keys, in any form. */
export type KeyGroup = "user-safety" | "harm" | "qwen" | "wildguard" | "flagged" | "violation" | "reasoned" | "bare"

/**
 * The value of a key. `absent`: the answer says that there is none ("N/A"). `missing`: the text ends or continues before it. `cut`:
 * the text ends within it.
 */
export type Value = Safety | "unknown" | "absent" | "missing" | "cut"

/** One position in an answer that states a verdict. */
export interface Statement {
  readonly side: Side
  readonly group: KeyGroup
  readonly value: Value
  readonly isJson: boolean
  /** False: it is in the middle of prose. Such a statement can contradict a verdict but not give one. */
  readonly isAnchored: boolean
}

/** The statements of an answer before they are merged. */
export interface Findings {
  readonly statements: readonly Statement[]
  /** The categories as written. Null: there is no list. */
  readonly categories: readonly string[]
  readonly score?: number | undefined
}

/**
 * A value beside the verdicts of a JSON text, with its key as written (empty in a list). The value of an object or a list is
 * `undefined`.
 */
export interface Aside {
  readonly key: string
  /** The key of the list or object around it. */
  readonly parent: string | undefined
  readonly value: string | number | boolean | null | undefined
}
