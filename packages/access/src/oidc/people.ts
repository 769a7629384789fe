import { createHash } from "node:crypto"
import type { Caller, Person } from "../grant.ts"
import type { GrantRule, GrantRules } from "./grant-rules.ts"
import { callerOfPerson, formatPerson, parsePerson } from "./person.ts"

/** The people of an identity provider, as far as a signed text names them. No server stores them. */
export interface People {
  nameOf(person: Person): string
  isName(name: string): boolean
  /** Returns the person of a name; undefined if what the provider said about the person has ended. */
  get(name: string): { readonly caller: Caller; readonly digest: Uint8Array; readonly end: number } | undefined
}

export interface PeopleOptions {
  readonly issuer: string
  readonly rules: GrantRules
  /** The rules by which people get names: a server with other rules does not accept their sessions. */
  readonly given: readonly GrantRule[]
  readonly now: () => number
}

const PREFIX = "person-"

export function createPeople({ issuer, rules, given, now }: PeopleOptions): People {
  const digest = createHash("sha256")
    .update(JSON.stringify([issuer, given]))
    .digest()
  return {
    nameOf: (person) => PREFIX + formatPerson(person),
    isName: (name) => name.startsWith(PREFIX),
    get(name) {
      const person = parsePerson(name.slice(PREFIX.length))
      if (person === undefined || person.end <= now()) return undefined
      return { caller: callerOfPerson(issuer, person, rules), digest, end: person.end }
    },
  }
}
