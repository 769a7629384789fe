import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatTable } from "../../output/format-table.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** `assay workspace list` */
export async function listWorkspaces(context: Context, options: JsonOption): Promise<void> {
  const data = await Array.fromAsync(openClient(context).workspaces.list({ signal: context.signal }))
  await print(context, options, { data }, (_result, layout) =>
    formatTable(
      data,
      [
        { heading: "WORKSPACE", value: ({ name }) => name },
        { heading: "CREATED", value: ({ created_at }) => created_at },
        { heading: "DESCRIPTION", value: ({ description }) => description },
      ],
      layout,
    ),
  )
}
