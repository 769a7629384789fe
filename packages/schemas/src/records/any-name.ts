import { Type } from "@sinclair/typebox"

/**
 * The keys of a record that may be anything. Without a pattern of its own TypeBox writes one that no name with a line break
 * matches: then its value is not checked, and left out of answers.
 */
export const AnyName = Type.String({ pattern: "^" })
