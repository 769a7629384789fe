/** How chrF is computed; the defaults are those of sacreBLEU's chrF2. */
export interface ChrfOptions {
  /** How much more recall counts than precision. Default 2. */
  readonly beta?: number
  /** The longest character n-grams that count. Default 6. */
  readonly maxOrder?: number
  /** Blanks count as characters. Default false. */
  readonly withSpace?: boolean
  /** Orders that a text is too short for count, with next to nothing, as in chrF++.py; else they are left out. Default false. */
  readonly epsilonSmoothing?: boolean
}
