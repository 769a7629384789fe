import { Type } from "@sinclair/typebox"

/** Keys of a profile for processes of this machine: none but those that all profiles have. */
export const LocalProfile = Type.Object({}, { additionalProperties: false })
