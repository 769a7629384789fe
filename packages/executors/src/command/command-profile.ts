import { type Static, Type } from "@sinclair/typebox"

const Template = Type.Union([
  Type.String({ minLength: 1, maxLength: 20_000 }),
  Type.Array(Type.String({ maxLength: 20_000 }), { minItems: 1, maxItems: 1000 }),
])

/** Keys of a profile for any other engine, which a command starts. */
export const CommandProfile = Type.Object(
  {
    /** The command that starts shards, as a line or as a list of words. See `fillTemplate`. */
    command: Template,
    /** Whether the command runs until what it started has ended. `false`: it returns as soon as the work is submitted. Default true. */
    waits: Type.Optional(Type.Boolean()),
    /** The command that ends what one call of `command` has submitted: `{id}` is the last line that the call printed. */
    cancel: Type.Optional(Template),
  },
  { additionalProperties: false },
)
export type CommandProfile = Static<typeof CommandProfile>
