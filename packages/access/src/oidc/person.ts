import { createHash } from "node:crypto"
import { AssayError, printable } from "@assay/schemas"
import type { Caller, Person } from "../grant.ts"
import { type Claims, type GrantRules, isEmailVerified } from "./grant-rules.ts"
import type { VerifiedClaims } from "./verify-jwt.ts"

const MAX_NAME = 128

/** @throws `forbidden` if the claims meet no rule */
export function personOf(claims: VerifiedClaims, rules: GrantRules): Person {
  const { sub: subject, exp } = claims
  const name = nameOf(claims) ?? subject
  const met = rules.match(claims)
  if (met.length > 0) return { subject, name, rules: met, end: Math.floor(exp * 1000) }
  throw new AssayError(
    "forbidden",
    `'${printable(name)}' is known to the identity provider, but has no rights here: no rule of ASSAY_OIDC_GRANTS fits the claims ${printable(claimNames(claims))}.`,
  )
}

function claimNames(claims: Claims): string {
  return Object.keys(claims)
    .join(", ")
    .slice(0, MAX_NAME * 2)
}

function nameOf(claims: Claims): string | undefined {
  const { email, preferred_username, name } = claims
  return [isEmailVerified(claims) ? email : undefined, preferred_username, name]
    .filter((one) => typeof one === "string" && one.trim() !== "")
    .map((one) => String(one).slice(0, MAX_NAME).toWellFormed())[0]
}

/** Returns a person as the sender of a request. The id is the same for each token of the person. */
export function callerOfPerson(issuer: string, person: Person, rules: GrantRules): Caller {
  const digest = createHash("sha256").update(`${issuer}\n${person.subject}`).digest("base64url")
  return { id: `user-${digest.slice(0, 22)}`, name: person.name, grants: rules.grantsOf(person.rules), person }
}

/** Writes a person as a short text of letters, digits, - and _. */
export function formatPerson({ subject, name, rules, end }: Person): string {
  const bits = rules.reduce((sum, position) => sum | (1n << BigInt(position)), 0n)
  return Buffer.from(JSON.stringify([subject, name, bits.toString(16), end])).toString("base64url")
}

/** Reads the text of a person. Returns undefined if it is not one. */
export function parsePerson(text: string): Person | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString())
  } catch {
    return undefined
  }
  const [subject, name, bits, end] = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (typeof subject !== "string" || typeof name !== "string" || typeof end !== "number") return undefined
  if (typeof bits !== "string" || !/^[\da-f]{1,200}$/u.test(bits)) return undefined
  return { subject, name, end, rules: positionsOf(BigInt(`0x${bits}`)) }
}

function positionsOf(bits: bigint): readonly number[] {
  const digits = bits.toString(2)
  const all = Array.from(digits, (_, position) => position)
  return all.filter((position) => digits.at(-1 - position) === "1")
}
