import { type Static, Type } from "@sinclair/typebox"

/** The recording of a job of a server: a fileset with the answers of its models. */
export const JobRecording = Type.Object(
  {
    fileset: Type.String({
      pattern: "^(?:[^\\s/#:]+/)?[^\\s/#:]+$",
      maxLength: 200,
      description:
        "`workspace/fileset`, or the name of a fileset of the job's workspace. To record in it needs the role editor there, and to replay it the role viewer.",
      examples: ["default/answers"],
    }),
    replay_only: Type.Optional(
      Type.Boolean({
        description: "Whether nothing is sent, so that a request without a recorded answer fails. Default false.",
      }),
    ),
    fresh: Type.Optional(
      Type.Boolean({
        description: "Whether answers from before the launch are asked for again and replaced. Default false.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      "Only in the params of the configuration of a job on a server: the fileset that has the answers of all its models. What it has is not asked, and new answers are added. Default: only conversations are recorded, on the server.",
  },
)
export type JobRecording = Static<typeof JobRecording>
