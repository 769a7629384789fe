import type { Grant } from "@assay/schemas"
import { readClaim, textsOf } from "./read-claim.ts"

/** Gives a role to everyone whose claim has a value, or a list with the value. */
export interface GrantRule extends Readonly<Grant> {
  /** The name or the path of the claim, such as `groups` or `realm_access.roles`. */
  readonly claim: string
  readonly value: string
}

/** The claims of a token whose signature was checked. */
export type Claims = Readonly<Record<string, unknown>>

/** The rules of a server, by their positions. */
export interface GrantRules {
  /** Returns the positions of the rules that claims meet. Takes time in proportion to the size of the claims, whatever is in them. */
  match(claims: Claims): readonly number[]
  /** Returns what rules give, each grant once. Positions without a rule give nothing. */
  grantsOf(positions: readonly number[]): readonly Readonly<Grant>[]
}

export function createGrantRules(rules: readonly GrantRule[]): GrantRules {
  const byClaim = Map.groupBy(rules.entries(), ([, { claim }]) => claim)
  const wanted = [...byClaim].map(([claim, entries]) => ({
    claim,
    positions: Map.groupBy(entries, ([, { value }]) => value),
  }))
  return {
    match(claims) {
      const met = new Set<number>()
      for (const { claim, positions } of wanted) {
        if (claim === "email" && !isEmailVerified(claims)) continue
        for (const text of textsOf(readClaim(claims, claim))) {
          for (const [position] of positions.get(text) ?? []) met.add(position)
        }
      }
      return [...met].toSorted((a, b) => a - b)
    },
    grantsOf(positions) {
      const given = new Map<string, Readonly<Grant>>()
      for (const position of positions) {
        const rule = rules[position]
        if (rule === undefined) continue
        const { workspace, role } = rule
        given.set(`${role} ${workspace}`, { workspace, role })
      }
      return [...given.values()]
    },
  }
}

/** At many providers users write their own address: it names them only if the provider says that it checked it. */
export function isEmailVerified({ email_verified }: Claims): boolean {
  return email_verified === true || email_verified === "true"
}
