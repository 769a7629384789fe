/** The values that a number from outside can have. Each end is included, unless it is exclusive. */
export type NumberRange = {
  readonly type: "integer" | "number"
  readonly maximum: number
} & ({ readonly minimum: number } | { readonly exclusiveMinimum: number })

/** The largest integer whose neighbours are numbers of their own, 2^53 − 1. Both databases store it. */
const LARGEST = Number.MAX_SAFE_INTEGER

/**
 * The quantities that come from outside: in bodies, queries, headers, settings and files. A field narrows its quantity where it has a limit of its own.
 * Computations with any of these numbers stay finite, and both databases store them unchanged.
 */
export const NUMBER_RANGES = {
  page: { type: "integer", minimum: 1, maximum: 1_000_000_000 },
  /** The position of a row or a page, from 0. */
  offset: { type: "integer", minimum: 0, maximum: LARGEST },
  /** Of rows, requests, tokens, processes. */
  count: { type: "integer", minimum: 1, maximum: LARGEST },
  bytes: { type: "integer", minimum: 0, maximum: LARGEST },
  /** In the currency of the price table. */
  money: { type: "number", exclusiveMinimum: 0, maximum: 1e12 },
  /** Of a million tokens. */
  price: { type: "number", minimum: 0, maximum: 1e9 },
  /** A limit of a score, or the end of its scale. */
  score: { type: "number", minimum: -1e15, maximum: 1e15 },
  /** A difference of scores. */
  margin: { type: "number", minimum: 0, maximum: 1e15 },
  share: { type: "number", minimum: 0, maximum: 1 },
  seconds: { type: "number", exclusiveMinimum: 0, maximum: 31_536_000 },
  /** A parameter that is sent to a model without change. */
  sent: { type: "number", minimum: -LARGEST, maximum: LARGEST },
  temperature: { type: "number", minimum: 0, maximum: 1000 },
} as const satisfies Record<string, NumberRange>
export type Quantity = keyof typeof NUMBER_RANGES

type Bounds = Readonly<Partial<Record<"minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", number>>>

/** Describes the numbers that a schema allows: `a whole number from 1 to 1000`, `a number above 0 and at most 0.5`. */
export function describeRange(schema: object): string {
  const {
    type,
    minimum,
    exclusiveMinimum: above,
    maximum,
    exclusiveMaximum: below,
  } = schema as Bounds & { readonly type?: unknown }
  const kind = [type].flat().includes("integer") ? "a whole number" : "a number"
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`
  const low = above === undefined ? (minimum === undefined ? [] : [`at least ${minimum}`]) : [`above ${above}`]
  const high = below === undefined ? (maximum === undefined ? [] : [`at most ${maximum}`]) : [`below ${below}`]
  const limits = [...low, ...high].join(" and ")
  return limits === "" ? kind : `${kind} ${limits.startsWith("at") ? "of " : ""}${limits}`
}
