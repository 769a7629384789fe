/** How one score is found in what a judge wrote. */
export type ScoreParserDefinition =
  | {
      readonly type: "json"
      /** Default: the name of the score. */
      readonly json_path?: string
    }
  | {
      readonly type: "regex"
      /** In RE2's syntax; the first group of the first hit is the value, or the whole hit. */
      readonly pattern: string
      /** `match` begins at the start of the answer, `search` anywhere. Default `search`. */
      readonly method?: "match" | "search"
    }

/** A label that a judge may give, and what it is worth. */
export interface RubricEntry {
  readonly label: string
  readonly value: number
}

/** A score that a judge is asked for, as evaluation configurations write it. */
export interface JudgeScoreDefinition {
  readonly type: "int" | "float" | "boolean" | "rubric"
  /** The labels of a `rubric`, also as label → value. */
  readonly rubric?: readonly RubricEntry[] | Readonly<Record<string, number>>
  readonly minimum?: number
  readonly maximum?: number
  /** What a number beyond minimum or maximum is: `unreadable` (NaN), or the bound itself. Default `unreadable`. */
  readonly out_of_range?: "unreadable" | "clamp"
  readonly parser: ScoreParserDefinition
}
