import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const { assay } = serveCommands()

it(
  "assay fileset list leaves out the rows of jobs unless it is asked for them",
  verifies("cli.fileset.list.inputs"),
  async () => {
    for (const name of ["eval-inputs-0123", "eval-inputs", "eval-inputsx", "reviews"])
      await assay("fileset", "create", name)
    const listed = async (...words: readonly string[]) => {
      const { data } = JSON.parse((await assay("fileset", "list", "--json", ...words)).stdout) as {
        data: { name: string }[]
      }
      return data.map(({ name }) => name).toSorted()
    }
    expect(await listed()).toEqual(["eval-inputs", "eval-inputsx", "reviews"])
    expect(await listed("--purpose", "generic")).toHaveLength(3)
    expect(await listed("--all")).toHaveLength(4)
    expect(await listed("--name", "inputs-")).toEqual(["eval-inputs-0123"])
  },
)
