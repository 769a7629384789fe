import { type Static, Type } from "@sinclair/typebox"
import { AGENT_PARTS, AGENT_PROGRAM } from "@assay/schemas"
import { ProgramFiles } from "../program-files.ts"

/** An agent in the short form. */
export const ShortAgent = Type.Object(
  {
    command: Type.Optional(AGENT_PROGRAM.command),
    environment: AGENT_PROGRAM.environment,
    image: AGENT_PROGRAM.image,
    ...AGENT_PARTS,
    files: Type.Optional(ProgramFiles),
    url: Type.Optional(
      Type.String({
        pattern: "^https?://\\S+$",
        description:
          "Instead of a program: the address that gets each task with one POST of `{task, messages}`, and returns what the agent did.",
        examples: ["http://127.0.0.1:8000/run"],
      }),
    ),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The name of the variable with the key of the address, or of a secret of the server.",
        examples: ["AGENT_KEY"],
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      "An agent that does a whole task for each row: a program in a sandbox, which may ask `model`, or an endpoint.",
    examples: ["{ command: [python3, agent.py], files: [agent.py] }"],
  },
)
export type ShortAgent = Static<typeof ShortAgent>
