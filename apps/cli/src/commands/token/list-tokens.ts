import type { Context } from "../../context.ts"
import { formatTable } from "../../output/format-table.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { findTokensFile } from "./find-tokens-file.ts"

/** `assay token list` */
export async function listTokens(context: Context, options: JsonOption): Promise<void> {
  const { file } = await findTokensFile(context)
  const server = await import("@assay/server")
  const data = await server.listTokens({ file })
  await print(context, options, { data }, (_result, layout) =>
    data.length === 0
      ? "no tokens\n"
      : formatTable(
          data,
          [
            { heading: "ID", value: ({ id }) => id },
            { heading: "NAME", value: ({ name }) => name },
            {
              heading: "GRANTS",
              value: ({ grants }) => grants.map(({ workspace, role }) => `${role} in ${workspace}`).join(", "),
            },
            { heading: "EXPIRES", value: ({ expires_at }) => expires_at ?? "never" },
          ],
          layout,
        ),
  )
}
