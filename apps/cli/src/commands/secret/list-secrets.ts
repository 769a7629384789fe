import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { formatTable } from "../../output/format-table.ts"
import { print } from "../print.ts"
import type { ListSecretsOptions } from "./add-secret-commands.ts"

/** `assay secret list` */
export async function listSecrets(context: Context, options: ListSecretsOptions): Promise<void> {
  const workspace = options.workspace ?? defaultWorkspace(context)
  const data = await Array.fromAsync(openClient(context).secrets.list(workspace, { signal: context.signal }))
  await print(context, options, { data }, (_result, layout) =>
    data.length === 0
      ? "no secrets\n"
      : formatTable(
          data,
          [
            { heading: "SECRET", value: ({ workspace, name }) => `${workspace}/${name}` },
            { heading: "UPDATED", value: ({ updated_at }) => updated_at },
            { heading: "DESCRIPTION", value: ({ description }) => description },
          ],
          layout,
        ),
  )
}
