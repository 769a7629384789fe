import type { Caller } from "./grant.ts"
import type { People } from "./oidc/people.ts"
import type { TokenStore } from "./token-store.ts"

/** The holder of a token, or a person whom the identity provider names: whom a session belongs to, and ends with. */
export interface Holder {
  readonly caller: Caller
  /** Changes if the token or the rules for people change. A signature with another one is not valid. */
  readonly digest: Uint8Array
  /** When the holder's own token ends, in milliseconds since 1970. Infinity: the store of tokens decides at each look-up. */
  readonly end: number
}

/** Holders by a short text of letters, digits, - and _. */
export interface Holders {
  /** Returns the text for a caller; undefined without auth. */
  nameOf(caller: Caller): string | undefined
  /** Returns the holder for a text that anybody could have written; undefined if it is not valid any more. */
  get(name: string): Promise<Holder | undefined>
}

/** @param people undefined: there is no identity provider */
export function createHolders(tokens: TokenStore, people: People | undefined): Holders {
  return {
    nameOf: ({ id, person }) => (person === undefined ? (id ?? undefined) : people?.nameOf(person)),
    async get(name) {
      if (people?.isName(name) === true) return people.get(name)
      const known = await tokens.get(name)
      return known === undefined ? undefined : { ...known, end: Infinity }
    },
  }
}
