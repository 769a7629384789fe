import { numberField } from "@assay/schemas"
import { Type } from "@sinclair/typebox"

/** Further characters are not a name of anything. */
const MAX_NAME = 512

/** The workspace of a call. */
export const workspaceField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    description: "The name of a workspace. Default: the workspace of this connection.",
  }),
)

export const filesetField = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  description: "`workspace/name` of a fileset, or its name in the workspace of this connection.",
  examples: ["default/reviews"],
})

export const jobField = (description = "The id of an evaluation job.") =>
  Type.String({ minLength: 1, maxLength: MAX_NAME, description, examples: ["eval-3QJmnh8Y1kGqvS4cQKFJ2b"] })

export const pathField = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description })

export const offsetField = (noun: string) =>
  numberField("offset", { default: 0, description: `How many ${noun} to skip.` })

export const limitField = (noun: string, normal: number, most: number) =>
  Type.Integer({ minimum: 1, maximum: most, default: normal, description: `Maximum number of ${noun}.` })

/** The parts that were left out of an answer, and how to get them. */
export const notesField = Type.Optional(
  Type.Array(Type.String(), { description: "What was left out, and how to get the rest." }),
)

export const nextOffsetField = Type.Union([Type.Integer(), Type.Null()], {
  description: "Continue with this offset; null: there is no more.",
})

/** Splits `workspace/name`. A name alone is in `workspace`. */
export function addressOf(name: string, workspace: string): readonly [workspace: string, name: string] {
  const [first = "", ...more] = name.split("/")
  return more.length === 0 ? [workspace, first] : [first, more.join("/")]
}
